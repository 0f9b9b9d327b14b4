import { sql } from 'kysely'
import { nameKey } from '../../../contract/compareKey.ts'
import { normaliseLine } from '../../../contract/normalise.ts'
import type { Duplicate } from '../../../contract/types/entities.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import { auditSearch } from '../../records/audit/auditSearch.ts'
import { alertMarks } from '../../records/query/alertMarks.ts'

/**
 * Clients with the same name and, if both are known, the same date of birth. A client out of scope is returned with its
 * id only, and only for a full name with date of birth: otherwise a name alone would reveal who is a client.
 */
export async function duplicatesOf(call: Call): Promise<Duplicate[]> {
  const { db, me, query } = call
  const [first, last] = [query.first_name, query.last_name].map((name) => normaliseLine(String(name ?? '')))
  const dob = query.dob ?? null
  const name = `${first} ${last}`.trim()
  if (name === '') return []
  await auditSearch(call, 'client', { term: dob === null ? name : `${name}, ${dob}` })
  const knownWhole = first !== '' && last !== '' && dob !== null
  const { rows } = await sql<Duplicate>`
    with same as (
      select c.id, c.first_name || ' ' || c.last_name as name, c.dob, c.dod, ${visibleTo('client', me, 'c')} as visible
      from clients c
      where c.name_key = ${nameKey(first, last)} and (${dob}::date is null or c.dob is null or c.dob = ${dob})
    )
    select same.*, ${alertMarks(me, sql.ref('same.id'))} as alerts from same where visible or (${knownWhole} and dob = ${dob}) order by id desc limit 10`.execute(
    db,
  )
  return rows.map((row) =>
    row.visible ? row : { id: row.id, name: null, dob: null, dod: null, visible: false, alerts: [] },
  )
}
