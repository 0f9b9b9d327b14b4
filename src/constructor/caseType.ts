import type { FormTest } from '../contract/generated.ts'
import type { ChoiceUsage, MetaName, Metas } from '../contract/meta/metaTypes.ts'

/** A case type as caseTypes.read replies it; version 0 was never published. */
export interface CaseType extends Metas {
  id: number
  label: string
  service: number
  version: number
  /** 2 is retired: offered for no new case. */
  status?: number
  /** What its forms are held to; a version from before there were tests has none. */
  tests?: FormTest[] | null
}
/** How many records there are of a case type, and how many of them answer each field. */
export interface CaseTypeUsage {
  cases: number
  issues: number
  case_meta: Record<string, number>
  issue_meta: Record<string, number>
  /** How many records chose each choice. */
  choices?: ChoiceUsage
}
/** Until it is counted, which takes seconds where there are very many records. */
export const UNCOUNTED: CaseTypeUsage = { cases: 0, issues: 0, case_meta: {}, issue_meta: {} }
/** What the constructor changes. */
export type Draft = Pick<CaseType, 'label' | MetaName> & { tests: FormTest[] }
/** Who changed a draft last and when (`at` is ISO with zone); `version` numbers that, also where nothing is left. */
interface Last {
  version?: number
  by?: string
  at?: string
}
/** What is kept and not published, for all administrators; `rev` 0 holds nothing. */
export type SavedDraft = ({ rev: 0 } & Last) | (Draftable & Last & { rev: number; base_version: number })

/** What a draft can be made of. */
export type Draftable = Pick<CaseType, 'label' | MetaName | 'tests'>

// The same list each time: a draft that is read again is not another one.
const NONE: FormTest[] = []

/** What can be changed of a case type, as it is sent. */
export function draftOf({ label, case_meta, issue_meta, tests }: Draftable): Draft {
  return { label: label.trim(), case_meta, issue_meta, tests: tests ?? NONE }
}

/** Whether there are kept changes. */
export function hasSavedDraft(saved: SavedDraft): saved is Extract<SavedDraft, Draftable> {
  return saved.rev > 0
}

/** The two forms in the order of their tabs. */
export const FORMS: { meta: MetaName; title: string }[] = [
  { meta: 'case_meta', title: 'Case form' },
  { meta: 'issue_meta', title: 'Issue form' },
]
