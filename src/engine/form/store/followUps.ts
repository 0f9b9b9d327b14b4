import { isChoice, isEditable } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import type { Literal, Test } from '../../../contract/when.ts'

/** A field with its follow-ups: fields that are visible only for one of its choices, each with that choice. */
export interface FieldNode {
  field: Field
  followUps: { choice: Literal; node: FieldNode }[]
}

/**
 * Builds a tree: a field that directly follows one with choices, and is visible only for one of them, becomes its
 * follow-up. A follow-up may have follow-ups of its own.
 */
export function withFollowUps(fields: Field[]): FieldNode[] {
  const roots: FieldNode[] = []
  // The previous field and its ancestors: the possible parents of the next one.
  let possibleParents: FieldNode[] = []
  for (const field of fields) {
    const node: FieldNode = { field, followUps: [] }
    const depth = possibleParents.findLastIndex((one) => choiceBefore(field, one.field) !== undefined)
    const parent = possibleParents[depth]
    if (parent) parent.followUps.push({ choice: choiceBefore(field, parent.field)!, node })
    else roots.push(node)
    possibleParents = [...possibleParents.slice(0, depth + 1), node]
  }
  return roots
}

/** The only choice of the previous field that makes this field visible; undefined for any other condition. */
function choiceBefore({ attrs }: Field, before: Field): Literal | undefined {
  const tests = Object.entries(attrs?.when ?? {})
  if (tests.length !== 1 || tests[0][0] !== before.name) return undefined
  if (!isChoice(before) || !isEditable(before)) return undefined
  const [choice, ...others] = [tests[0][1] as Test].flat()
  return others.length > 0 || choice === null || typeof choice === 'object' ? undefined : choice
}
