import { sql } from 'kysely'
import type { Group } from '../../../contract/generated.ts'
import type { Tx } from '../../core/db.ts'
import type { Item, Lookups } from './lookups.ts'
import { type Plan, planOf } from './plan.ts'

/** A case type that cases can have: its service has contracts and issue types. */
export interface CaseKind {
  id: number
  label: string
  version: number
  service: number
  contracts: Item[]
  caseFields: Plan
  issueFields: Plan
}

/** Reads the case types, for answers that are valid by their present forms. */
export async function readCaseKinds(tx: Tx, lookups: Lookups): Promise<CaseKind[]> {
  const { rows } = await sql<{
    id: number
    label: string
    version: number
    service: number
    case_meta: Group[]
    issue_meta: Group[]
  }>`select id, label, version, service, case_meta, issue_meta from case_types order by id`.execute(tx)
  return rows
    .map(({ case_meta, issue_meta, ...type }) => ({
      ...type,
      contracts: lookups('contracts', { service: type.service }),
      caseFields: planOf(case_meta),
      issueFields: planOf(issue_meta),
    }))
    .filter(
      ({ service, contracts }) => contracts.length > 0 && lookups('issue_types', { service }).length > 0,
    )
}
