import type { TypeUses } from '../../contract/caseType/fieldUses.ts'
import type { Calendars } from '../../contract/deadlines/calendars.ts'
import type { Automation, Deadline, FormTest } from '../../contract/generated.ts'
import type { ChoiceUsage, MetaName, Metas, Usage } from '../../contract/meta/metaTypes.ts'

/** A case type as caseTypes.read replies it; version 0 was never published. */
export interface CaseType extends Metas {
  id: number
  label: string
  service: number
  version: number
  /** 2 is retired: not offered for new cases. */
  status?: number
  /** Tests that its forms must pass; missing in versions published before tests existed. */
  tests?: FormTest[] | null
  /** What follows from its facts; missing in versions published before automations existed. */
  automations?: Automation[]
  /** What is due; missing in versions published before deadlines existed. */
  deadlines?: Deadline[]
  /** The calendars of bank holidays; only what caseTypes.read replies has them. */
  calendars?: Calendars | null
}
/** Number of records of a case type, and of those that answer each field. */
export interface CaseTypeUsage {
  cases: number
  issues: number
  case_meta: Record<string, number>
  issue_meta: Record<string, number>
  /** Number of records in which each choice is selected. */
  choices?: ChoiceUsage
  /** Number of unsubmitted drafts of cases and issues that answer each field. */
  drafts?: Usage
  /** What refers to its fields from outside of its forms. */
  uses?: TypeUses
}
/** Placeholder until the usage is counted, which takes seconds with very many records after a publication with other choices. */
export const UNCOUNTED: CaseTypeUsage = { cases: 0, issues: 0, case_meta: {}, issue_meta: {} }
/** The editable properties of a case type. */
export type Draft = Pick<CaseType, 'label' | MetaName> & {
  tests: FormTest[]
  automations: Automation[]
  deadlines: Deadline[]
}
/** A draft without forms, for work on one of them. */
export const NO_DRAFT: Draft = {
  label: '',
  case_meta: [],
  issue_meta: [],
  tests: [],
  automations: [],
  deadlines: [],
}
/**
 * Who last changed a draft and when (`at` is ISO with zone); `version` counts the changes and outlives a deleted draft.
 */
interface Last {
  version?: number
  by?: string
  at?: string
}
/** The unpublished draft on the server, shared by all administrators; `rev` 0 means that there is none. */
export type SavedDraft = ({ rev: 0 } & Last) | (Draftable & Last & { rev: number; base_version: number })

/** The properties that a draft is made from, of a published version or a saved draft. */
export type Draftable = Pick<CaseType, 'label' | MetaName | 'tests' | 'automations' | 'deadlines'>

// A constant, so that a draft that is read again counts as the same.
const NONE: never[] = []

/** Converts a case type or saved draft to the draft that is edited and sent to the server. */
export function draftOf({ label, case_meta, issue_meta, tests, automations, deadlines }: Draftable): Draft {
  return {
    label: label.trim(),
    case_meta,
    issue_meta,
    tests: tests ?? NONE,
    automations: automations ?? NONE,
    deadlines: deadlines ?? NONE,
  }
}

export function hasSavedDraft(saved: SavedDraft): saved is Extract<SavedDraft, Draftable> {
  return saved.rev > 0
}

/** The two forms in the order of their tabs. */
export const FORMS: { meta: MetaName; title: string }[] = [
  { meta: 'case_meta', title: 'Case form' },
  { meta: 'issue_meta', title: 'Issue form' },
]
