import type { Automation, Deadline } from '../../contract/generated.ts'

/** What follows from the records of a case type; the tab of automations edits both. */
export interface Definitions {
  automations: Automation[]
  deadlines: Deadline[]
}
export type DefinitionList = keyof Definitions

/** An automation or a deadline. */
export type Definition<L extends DefinitionList> = Definitions[L][number]

/** The place of an automation or a deadline: its list, and its name in it. */
export interface DefinitionPlace {
  list: DefinitionList
  name: string
}

/** The label of an automation or a deadline; undefined if it is gone. */
export function labelOfDefinition(definitions: Definitions, { list, name }: DefinitionPlace) {
  const all: { name: string; label: string }[] = definitions[list]
  return all.find((one) => one.name === name)?.label
}

export function isSameDefinition(one: DefinitionPlace | undefined, other: DefinitionPlace): boolean {
  return one?.list === other.list && one.name === other.name
}
