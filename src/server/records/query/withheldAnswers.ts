import { sql } from 'kysely'
import type { Caller } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { isOutOfSight } from './outOfSight.ts'

type Column = (me: Caller, row: string) => Sql

/** What stands for a value of a record that the caller may not see. */
const WITHHELD = sql`'{"value": null, "isWithheld": true}'::jsonb`

/**
 * Columns of cases and issues without what the caller may not learn of another record: the values that the form has
 * seen there, and the answers that follow from them. SQL by entity and property, for a row of the alias.
 */
export const WITHHELD_COLUMNS: Record<string, Record<string, Column>> = {
  case: columnsOf('case'),
  issue: columnsOf('issue'),
  chronology: { changes: changesOf },
}

/** Audited changes without those of answers that follow from a record that the caller may not see. */
function changesOf(me: Caller, row: string): Sql {
  const [changes, entity] = [sql.ref(`${row}.changes`), sql.ref(`${row}.entity`)]
  const id = sql`l.id::int`
  const isHidden = sql`case ${entity} when 'case' then ${isOutOfSight(me, 'case', id)}
    else ${isOutOfSight(me, 'issue', id)} end`
  return sql`case when jsonb_path_exists(${changes}, '$.*.last') then (
      select jsonb_object_agg(c.key, c.value - 'last') from jsonb_each(${changes}) c
      where not exists (select from jsonb_array_elements_text(c.value -> 'last') l(id) where ${isHidden}))
    else ${changes} end`
}

function columnsOf(entity: 'case' | 'issue'): Record<string, Column> {
  const isHidden = (
    me: Caller,
  ) => sql`starts_with(s.key, '$last.') and s.value ->> 'record' is not null and exists (
    select from jsonb_array_elements_text(jsonb_build_array(s.value -> 'record') || coalesce(s.value -> 'through', '[]')) l(id)
    where ${isOutOfSight(me, entity, sql`l.id::int`)})`
  const without = (name: string) => (me: Caller, row: string) => {
    const [value, seen] = [sql.ref(`${row}.${name}`), sql.ref(`${row}.answers_seen`)]
    return sql`case when ${seen} = '{}' then ${value} else ${value} - array(
      select f.name from jsonb_each(${seen}) s, jsonb_array_elements_text(s.value -> 'follows') f(name)
      where ${isHidden(me)}) end`
  }
  return {
    answers: without('answers'),
    hidden_answers: without('hidden_answers'),
    answers_seen: (me, row) => sql`(select jsonb_object_agg(s.key,
        case when ${isHidden(me)} then ${WITHHELD} else s.value - '{follows,through}'::text[] end)
      from jsonb_each(${sql.ref(`${row}.answers_seen`)}) s)`,
  }
}
