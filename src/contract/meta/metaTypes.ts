import type { Entity, Group } from '../generated.ts'

export type MetaName = 'case_meta' | 'issue_meta'

export type Metas = Record<MetaName, Group[]>

/** Number of cases (issues) that answer a field, by the field's name; an unanswered field may be missing. */
export type Usage = Record<MetaName, Record<string, number>>

/** Number of records with each choice, by the field's name ('family.kind' for a column) and the stored value. */
export type ChoiceUsage = Record<MetaName, Record<string, Record<string, number>>>

/** Without `choices` every choice of an answered field counts as chosen. */
export type UsageWithChoices = Usage & { choices?: ChoiceUsage }

/** A problem of a meta: its path, the name of the field, and one sentence that says what to do. */
export interface MetaProblem {
  meta: MetaName
  path: (string | number)[]
  field?: string
  message: string
}

/** A list that administrators defined, with its further attributes. */
export interface ListItem {
  value: number | string
  label: string
  [key: string]: unknown
}

/** The parts of the contract that fields may refer to: lookups with their parameters, and entities for defaults. */
export interface Known {
  lookups: Record<string, { by?: string[]; from?: string; needs?: string; parent?: string }>
  /** The items of each lookup that others are narrowed by (`needs`) and that has parents, including retired ones. */
  lists?: Record<string, ListItem[]>
  /** Omitted: paths of defaults are not checked. */
  entities?: Record<string, Pick<Entity, 'properties' | 'required'>>
}

export interface Before {
  meta: Metas
  usage: UsageWithChoices
}

/** Callback of the checks: the path of a problem, its sentence and the name of the field. */
export type Report = (path: (string | number)[], message: string, field?: string) => void
