import type { MetaName, Metas } from '../contract/meta/check.ts'

/** A case type as caseTypes.read replies it; version 0 was never published. */
export interface CaseType extends Metas {
  id: number
  label: string
  service: number
  version: number
}
/** How many records there are of a case type, and how many of them answer each field. */
export interface CaseTypeUsage {
  cases: number
  issues: number
  case_meta: Record<string, number>
  issue_meta: Record<string, number>
}
/** What the constructor changes. */
export type Draft = Pick<CaseType, 'label' | MetaName>
/** What is kept and not published, for all administrators; `rev` 0 holds nothing. `at` is ISO with zone. */
export type Kept = { rev: 0 } | (Draft & { rev: number; base_version: number; by?: string; at?: string })

/** What can be changed of a case type, as it is sent. */
export function draftOf({ label, case_meta, issue_meta }: Draft): Draft {
  return { label: label.trim(), case_meta, issue_meta }
}

/** Whether there are kept changes. */
export function isKept(kept: Kept): kept is Exclude<Kept, { rev: 0 }> {
  return kept.rev > 0
}

/** The two forms in the order of their tabs. */
export const FORMS: { meta: MetaName; title: string }[] = [
  { meta: 'case_meta', title: 'Case form' },
  { meta: 'issue_meta', title: 'Issue form' },
]
