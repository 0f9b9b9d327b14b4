import { sql } from 'kysely'
import { plainLabel } from '../../../contract/filledTexts.ts'
import type { Field, Group } from '../../../contract/generated.ts'
import type { Case, Issue } from '../../../contract/types/entities.ts'
import type { Call, Handler } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { moveAnswersOf } from '../../records/answerMigrations/moveAnswers.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { namedField } from '../../records/audit/describeChangeLists.ts'
import { formatValue } from '../../records/audit/formatValue.ts'
import { lookupLabels } from '../../records/audit/lookupLabels.ts'
import { type HiddenAnswers, hiddenValues } from '../../records/hiddenAnswers/entries.ts'
import { type Meta, metaFor } from '../../records/validate/meta.ts'
import { lockRow } from '../../records/verbs/lockRow.ts'
import { fetch } from '../../records/verbs/read.ts'

type AnsweredEntity = 'case' | 'issue'
type Answered = Case | Issue

/** The answers of a case that no longer count, in words. */
export const ofCase: Handler = (call) => listOf(call, 'case')

export const ofIssue: Handler = (call) => listOf(call, 'issue')

/** Deletes an answer of a case that no longer counts for good. */
export const removeOfCase: Handler = (call) => remove(call, 'case')

export const removeOfIssue: Handler = (call) => remove(call, 'issue')

async function listOf(call: Call, name: AnsweredEntity) {
  const entity = call.contract.entities[name]
  const row = await fetch(call, entity, call.params.id)
  const entries = Object.entries(row.hidden_answers as HiddenAnswers)
  if (entries.length === 0) return []
  const [fields, people] = await Promise.all([
    fieldsOf(call, await metaFor(call, entity, row.id), row),
    namesOf(call, row),
  ])
  const fieldOf = (name: string) => fields.get(name) ?? namedField(name, undefined)
  const labels = await lookupLabels(
    call,
    entries.map(([name, { value }]): [Field, unknown] => [fieldOf(name), value]),
  )
  return entries.map(([name, { value, since, ...cause }]) => ({
    id: row.id,
    name,
    label: plainLabel(fieldOf(name).label),
    value: formatValue(value, fieldOf(name), labels),
    since,
    by: 'by' in cause ? (people.get(cause.by) ?? 'Somebody') : `Version ${cause.version} of the form`,
  }))
}

/** The fields of hidden answers by name, as the published form or the last version before that has them. */
async function fieldsOf(
  call: Call,
  { groups, caseType, which }: Meta,
  row: Answered,
): Promise<Map<string, Field>> {
  const fields = new Map<string, Field>()
  const add = (some: Group[]) => {
    for (const field of some.flatMap((g) => g.fields))
      if (!fields.has(field.name)) fields.set(field.name, field)
  }
  add(groups)
  const removed = Object.keys(hiddenValues(row.hidden_answers)).filter((name) => !fields.has(name))
  if (removed.length === 0) return fields
  const { rows } = await sql<{ fields: Field[] }>`select array_agg(last.field) as fields from (
      select distinct on (f ->> 'name') f as field
      from case_type_versions v, jsonb_array_elements(v.${sql.ref(which)}) g, jsonb_array_elements(g -> 'fields') f
      where v.case_type = ${caseType} and f ->> 'name' = any(${removed}::text[])
      order by f ->> 'name', v.version desc
    ) last`.execute(call.db)
  add([{ name: 'removed', label: '', fields: rows[0].fields ?? [] }])
  return fields
}

/** Names of the people who hid answers, by their ids. */
async function namesOf({ db }: Call, row: Answered): Promise<Map<number, string>> {
  const ids = Object.values(row.hidden_answers as HiddenAnswers).flatMap((one) => ('by' in one ? one.by : []))
  const { rows } = await sql<{
    id: number
    name: string
  }>`select id, trim(first_name || ' ' || last_name) as name
    from staff where id = any(${ids}::int[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

async function remove(call: Call, name: AnsweredEntity) {
  const entity = call.contract.entities[name]
  const field = String(call.params.name)
  await lockRow(call, entity)
  await moveAnswersOf(call.db, name, Number(call.params.id))
  const row = await fetch(call, entity, call.params.id)
  const entries = row.hidden_answers as HiddenAnswers
  if (!Object.hasOwn(entries, field)) throw problem('notFound')
  const version = row.version + 1
  await sql`update ${sql.table(entity.table!)} set hidden_answers = hidden_answers - ${field}::text,
    version = ${version}, updated_at = now() where id = ${row.id}`.execute(call.db)
  const changes = { [`hidden_answers.${field}`]: { from: entries[field].value, to: null } }
  await writeAuditEvent(call, { action: 'update', entity: name, record: row.id, version, changes })
  return fetch(call, entity, row.id)
}
