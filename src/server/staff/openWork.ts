import { sql } from 'kysely'
import { STATUS } from '../../contract/status.ts'
import type { Call } from '../call.ts'
import type { Row } from '../db.ts'
import { whoMaySignIn } from '../signIn/maySignIn.ts'

interface OpenWork {
  id: string
  label: string
  /** Address where it can be seen to. */
  to: string | null
}

/** So many cases or people are named one by one. */
const NAMED = 10

/**
 * The open work of a person who leaves: open issues and their next steps, next steps on cases, people they manage.
 */
export async function openWorkOf(call: Call, { id }: Row): Promise<OpenWork[]> {
  const { rows } = await sql<{ issues: number; steps: number }>`select
      count(*) as issues, count(i.next_step) as steps
    from issues i where i.advocate = ${id} and i.is_opened and i.status = ${sql.lit(STATUS.active)}`.execute(
    call.db,
  )
  const [{ issues, steps }] = rows
  const open = {
    id: 'issues',
    label: `${many(issues, 'open issue')}${steps > 0 ? `, ${many(steps, 'next step')}` : ''}: hand over`,
    to: `/advocate/${id}/hand-over`,
  }
  return [
    ...(issues > 0 ? [open] : []),
    ...(await nextStepsOnCases(call, id)),
    ...(await peopleLed(call, id)),
  ]
}

/** Whom they lead, for each to be given another line manager; those who may not sign in wait for nobody. */
async function peopleLed({ db }: Call, leader: unknown): Promise<OpenWork[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select s.id, trim(s.first_name || ' ' || s.last_name) as name from staff s
    where s.line_manager = ${leader} and ${whoMaySignIn('s')} order by name, s.id`.execute(db)
  const people = rows.length
  if (people === 0) return []
  const label =
    people === 1 ? '1 person has them as line manager' : `${people} people have them as line manager`
  const named = rows.slice(0, NAMED).map(({ id, name }) => ({
    id: `person-${id}`,
    label: `Give ${name} another line manager`,
    to: `/advocate/${id}/details`,
  }))
  return [{ id: 'people', label, to: null }, ...named]
}

/** What they wrote down to be done on a case as such: it is no issue's, so it does not go with one to whoever takes that over. */
async function nextStepsOnCases({ db }: Call, staff: unknown): Promise<OpenWork[]> {
  const { rows } = await sql<{ case_id: number; client: number; name: string; steps: number }>`
    select k.id as case_id, c.id as client, c.first_name || ' ' || c.last_name as name, count(*) as steps
    from tasks t join cases k on k.id = t."case" join clients c on c.id = k.client
    where t.assignee = ${staff} and t.issue is null and t.done_at is null and k.status = ${sql.lit(STATUS.active)}
    group by k.id, c.id order by min(t.due), k.id`.execute(db)
  const named = rows.slice(0, NAMED).map(({ case_id, client, name, steps }) => ({
    id: `case-${case_id}`,
    label: `${many(steps, 'next step')} on case ${case_id} of ${name}, on no issue`,
    to: `/clients/${client}/actions`,
  }))
  const others = rows.length - named.length
  const rest = { id: 'cases', label: `Next steps on ${many(others, 'more case')}, on no issue`, to: null }
  return others > 0 ? [...named, rest] : named
}

function many(n: number, what: string): string {
  return n === 1 ? `1 ${what}` : `${n} ${what}s`
}
