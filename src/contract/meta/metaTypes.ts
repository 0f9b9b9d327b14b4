import type { Entity, Group } from '../generated.ts'

export type MetaName = 'case_meta' | 'issue_meta'

export type Metas = Record<MetaName, Group[]>

/** How many cases (issues) answer a field, by the field's name; a field that none answers may be missing. */
export type Usage = Record<MetaName, Record<string, number>>

/** How many records chose each choice, by the field's name ('family.kind' for a column) and the stored value. */
export type ChoiceUsage = Record<MetaName, Record<string, Record<string, number>>>

/** Without `choices` every choice of an answered field counts as chosen. */
export type UsageWithChoices = Usage & { choices?: ChoiceUsage }

/** What is wrong with a meta: the place below it, the field it is about, and what to do in one sentence. */
export interface MetaProblem {
  meta: MetaName
  path: (string | number)[]
  field?: string
  message: string
}

/** A list that administrators made, with what else is said of it. */
export interface ListItem {
  value: number | string
  label: string
  [key: string]: unknown
}

/** What fields may name of the contract: its lookups with their parameters, and what they may begin as. */
export interface Known {
  lookups: Record<string, { by?: string[]; from?: string; needs?: string; parent?: string }>
  /** The items of each lookup that others are narrowed by (`needs`) and that have parents, retired ones too. */
  lists?: Record<string, ListItem[]>
  /** Omitted: what they begin as is not looked up. */
  entities?: Record<string, Pick<Entity, 'properties' | 'required'>>
}

export interface Before {
  meta: Metas
  usage: UsageWithChoices
}

/** How the checks report: a place, the sentence and the name of the field. */
export type Report = (path: (string | number)[], message: string, field?: string) => void
