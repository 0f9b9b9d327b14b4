import { sql } from 'kysely'
import type { Db } from '../../src/server/core/db.ts'

interface Person {
  id: number
  groups: number[]
  hub: number | null
  services: number[]
  contracts: number[]
  line_manager: number | null
}
interface CaseRecord {
  id: number
  client: number
  created_by: number | null
}
interface Issue extends CaseRecord {
  case: number
  advocate: number | null
  service: number
  contract: number
  hub: number | null
}
/** Everything that decides who may see what. */
interface Records {
  staff: Person[]
  clients: { id: number; created_by: number | null }[]
  cases: CaseRecord[]
  issues: Issue[]
  /** Undecided referrals of clients. */
  referrals: { hub: number; from_client: number }[]
}
export interface Visible {
  issue: number[]
  case: number[]
  client: number[]
}

/** Reads all records in one snapshot. */
export async function readRecords(db: Db): Promise<Records> {
  const { rows } = await sql<Records>`select
    (select json_agg(json_build_object('id', id, 'groups', groups, 'hub', hub, 'services', services, 'contracts', contracts,
      'line_manager', line_manager)) from staff) as staff,
    (select coalesce(json_agg(json_build_object('id', id, 'created_by', created_by)), '[]') from clients) as clients,
    (select coalesce(json_agg(json_build_object('id', id, 'client', client, 'created_by', created_by)), '[]') from cases) as cases,
    (select coalesce(json_agg(json_build_object('id', id, 'client', client, 'case', "case", 'created_by', created_by,
      'advocate', advocate, 'service', service, 'contract', contract, 'hub', hub)), '[]') from issues) as issues,
    (select coalesce(json_agg(json_build_object('hub', hub, 'from_client', from_client)), '[]') from referral_requests
      where status in (1, 4)) as referrals`.execute(db)
  return rows[0]
}

interface Reading {
  readsContracts?: boolean
  readsReferred?: boolean
}

/** The ids that a person may see by the rules of the specification, in ascending order. */
export function visibleByRules(
  records: Records,
  person: number,
  { readsContracts = false, readsReferred = false }: Reading = {},
): Visible {
  const me = records.staff.find(({ id }) => id === person)!
  const is = (...roles: number[]) => me.groups.some((role) => roles.includes(role))
  const everything = is(1)
  const team = teamOf(records, me.id)
  const seesIssue = (issue: Issue) => {
    if (everything || issue.created_by === me.id) return true
    if (is(2, 9) && issue.advocate !== null && team.includes(issue.advocate)) return true
    if (is(4, 6, 8) && issue.advocate === me.id) return true
    if (is(2, 9, 4, 6, 8) && issue.advocate === null && me.services.includes(issue.service)) return true
    if (is(3, 7) && me.hub !== null && issue.hub === me.hub) return true
    return is(5) && readsContracts && me.contracts.includes(issue.contract)
  }
  const issues = records.issues.filter(seesIssue)
  const cases = records.cases.filter(
    ({ id, created_by }) => everything || created_by === me.id || issues.some((issue) => issue.case === id),
  )
  const clients = records.clients.filter(
    ({ id, created_by }) =>
      everything ||
      created_by === me.id ||
      issues.some(({ client }) => client === id) ||
      cases.some((one) => one.client === id && one.created_by === me.id) ||
      (readsReferred &&
        is(3, 7) &&
        records.referrals.some((one) => one.from_client === id && one.hub === me.hub)),
  )
  return { issue: idsOf(issues), case: idsOf(cases), client: idsOf(clients) }
}

/** The person and everybody below them. */
function teamOf({ staff }: Records, person: number): number[] {
  const team = [person]
  for (const one of team)
    for (const { id, line_manager } of staff) if (line_manager === one && !team.includes(id)) team.push(id)
  return team
}

function idsOf(rows: { id: number }[]): number[] {
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}
