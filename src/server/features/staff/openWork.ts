import { sql } from 'kysely'
import { pluralise } from '../../../contract/pluralise.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Staff } from '../../../contract/types/entities.ts'
import { whoMaySignIn } from '../../access/maySignIn.ts'
import type { Call } from '../../core/call.ts'

interface OpenWork {
  id: string
  label: string
  /** Address of the page for handling it. */
  to: string | null
}

/** Maximum number of cases or people that are listed individually. */
const MAX_LISTED = 10

/** The open work of a person who leaves: open issues and their next steps, next steps on cases, people they manage. */
export async function openWorkOf(call: Call, { id }: Staff): Promise<OpenWork[]> {
  const { rows } = await sql<{ issues: number; steps: number }>`select
      count(*) as issues, count(i.next_step) as steps
    from issues i where i.advocate = ${id} and i.is_opened and i.status = ${sql.lit(STATUS.active)}`.execute(
    call.db,
  )
  const [{ issues, steps }] = rows
  const open = {
    id: 'issues',
    label: `${pluralise(issues, 'open issue')}${steps > 0 ? `, ${pluralise(steps, 'next step')}` : ''}: hand over`,
    to: `/advocate/${id}/hand-over`,
  }
  return [
    ...(issues > 0 ? [open] : []),
    ...(await nextStepsOnCases(call, id)),
    ...(await managedPeople(call, id)),
  ]
}

/** People who need another line manager; those who may not sign in need none. */
async function managedPeople({ db }: Call, leader: number): Promise<OpenWork[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select s.id, trim(s.first_name || ' ' || s.last_name) as name from staff s
    where s.line_manager = ${leader} and ${whoMaySignIn('s')} order by s.name_key, s.id`.execute(db)
  const people = rows.length
  if (people === 0) return []
  const label =
    people === 1 ? '1 person has them as line manager' : `${people} people have them as line manager`
  const named = rows.slice(0, MAX_LISTED).map(({ id, name }) => ({
    id: `person-${id}`,
    label: `Give ${name} another line manager`,
    to: `/advocate/${id}/details`,
  }))
  return [{ id: 'people', label, to: null }, ...named]
}

/** Their open tasks on cases without an issue, which handing over issues does not move. */
async function nextStepsOnCases({ db }: Call, staff: number): Promise<OpenWork[]> {
  const { rows } = await sql<{ case_id: number; client: number; name: string; steps: number }>`
    select k.id as case_id, c.id as client, c.first_name || ' ' || c.last_name as name, count(*) as steps
    from tasks t join cases k on k.id = t."case" join clients c on c.id = k.client
    where t.assignee = ${staff} and t.issue is null and t.done_at is null and t.error_reason is null and k.status = ${sql.lit(STATUS.active)}
    group by k.id, c.id order by min(t.due), k.id`.execute(db)
  const named = rows.slice(0, MAX_LISTED).map(({ case_id, client, name, steps }) => ({
    id: `case-${case_id}`,
    label: `${pluralise(steps, 'next step')} on case ${case_id} of ${name}, on no issue`,
    to: `/clients/${client}/actions`,
  }))
  const others = rows.length - named.length
  const rest = {
    id: 'cases',
    label: `Next steps on ${pluralise(others, 'more case')}, on no issue`,
    to: null,
  }
  return others > 0 ? [...named, rest] : named
}
