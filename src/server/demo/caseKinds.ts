import { sql } from 'kysely'
import type { Group } from '../../contract/generated.ts'
import type { Tx } from '../db.ts'
import type { Item, Lookups } from './lookups.ts'
import { type Plan, planOf } from './plan.ts'

/** A case type that can be opened: there are contracts and issue types for its service. */
export interface CaseKind {
  id: number
  label: string
  version: number
  service: number
  contracts: Item[]
  caseFields: Plan
  issueFields: Plan
}

/** The published case types, so that answers fit what is asked for now. */
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
