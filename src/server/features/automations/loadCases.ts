import { sql } from 'kysely'
import type { AutomationRecord } from '../../../contract/automations/evaluateAutomations.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Values } from '../../../contract/when.ts'
import type { Db, Sql } from '../../core/db.ts'
import { pendingMigrations } from '../../records/answerMigrations/pendingMigrations.ts'
import { readCurrent } from '../../records/answerMigrations/readCurrent.ts'
import type { StatesOfCase } from '../deadlines/evaluateDeadlines.ts'
import type { TypeVersion } from './automatedTypes.ts'

export interface StoredState {
  id: number
  issue: number | null
  name: string
  version: number
  label: string
  level: string | null
  text: string | null
  holds: StoredHold[]
  client: number
  groups: number[]
}
export interface StoredHold {
  call: string
  text: string
  pass: number[]
}

/** A case with what its automations look at. */
export interface LoadedCase extends TypeVersion {
  id: number
  client: number
  caseRow: Values
  clientRow: Values
  issues: Values[]
  states: StoredState[]
  /** Ids of the groups of people by their codes, the same for all cases. */
  groupIds: Record<string, number>
  /** States of its deadlines, once these are evaluated. */
  deadlineStates?: StatesOfCase
}

/** Loads the cases of a query for ids, with their clients, issues and stored states; in the order of their ids. */
export async function loadCases(db: Db, ids: Sql): Promise<LoadedCase[]> {
  const { rows } =
    await sql<LoadedCase>`select k.id, k.client, t.id as type, t.version, current_database() as database,
      ${withoutHidden('case', sql`k`)} as "caseRow", to_jsonb(c) as "clientRow",
      (select coalesce(jsonb_agg(${withoutHidden('issue', sql`i`)} order by i.id), '[]') from issues i where i."case" = k.id) as issues,
      (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'issue', s.issue, 'name', s.name, 'version', s.version,
          'label', s.label, 'level', s.level, 'text', s.text, 'client', s.client, 'groups', s.groups, 'holds', (
            select coalesce(jsonb_agg(jsonb_build_object('call', h.call, 'text', h.text, 'pass', h.pass) order by h.id), '[]')
            from automation_holds h where h.state = s.id))), '[]')
        from automation_states s where s."case" = k.id) as states,
      (select coalesce(jsonb_object_agg(l.attrs ->> 'code', l.value), '{}') from lookup l
        where l.kind = 'staff_groups' and l.attrs ? 'code') as "groupIds"
    from cases k join clients c on c.id = k.client join case_types t on t.id = k.case_type
    where k.id in (${ids}) order by k.id`.execute(db)
  return rows.map((row) => ({
    ...row,
    caseRow: readCurrent(row.caseRow),
    issues: row.issues.map(readCurrent),
  }))
}

/** A record as JSON, with the migrations that have not reached its answers. */
function withoutHidden(name: 'case' | 'issue', r: Sql): Sql {
  return sql`to_jsonb(${r}) || jsonb_build_object('hidden_answers', '{}'::jsonb, 'pending_migrations', ${pendingMigrations(name, r)})`
}

/** A record of a loaded case, and its id if it is an issue; an issue of a retired case counts as retired too. */
export interface LoadedRecord extends AutomationRecord {
  issue: number | null
  isRetired: boolean
}

/** The records of a case: the case itself, then its issues. */
export function recordsOf({ caseRow, clientRow, issues, deadlineStates }: LoadedCase): LoadedRecord[] {
  const caseValues = { ...(caseRow.answers as Values), ...caseRow }
  const shared = { caseValues, client: clientRow }
  const isOpen = issues.some(({ status, is_opened }) => status === STATUS.active && is_opened === true)
  const isRetired = ({ status }: Values) => [caseRow.status, status].some((one) => one !== STATUS.active)
  const deadlinesOf = (issue: number | null) => deadlineStates?.get(issue) ?? {}
  return [
    {
      ...shared,
      of: 'case',
      issue: null,
      isOpen,
      isRetired: isRetired(caseRow),
      record: caseRow,
      answers: caseRow.answers as Values,
      deadline: deadlinesOf(null),
    },
    ...issues.map(
      (record): LoadedRecord => ({
        ...shared,
        of: 'issue',
        issue: record.id as number,
        isOpen: record.is_opened === true,
        isRetired: isRetired(record),
        record,
        answers: record.answers as Values,
        deadline: deadlinesOf(record.id as number),
      }),
    ),
  ]
}
