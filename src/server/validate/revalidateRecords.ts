import { sql } from 'kysely'
import { applyChanges } from '../../contract/applyChanges.ts'
import type { Group } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import type { Db, Sql } from '../db.ts'
import { today } from '../today.ts'
import { CHANNEL } from '../versionEvents.ts'
import { ajvValidate } from './ajvValidate.ts'

interface RevalidationContext {
  db: Db
  /** Where today begins. */
  timeZone: string
  /** Ends the work after the batch that is under way; the next run goes on from there. */
  ending: AbortSignal
}
interface Form {
  /** Case type. */
  id: number
  version: number
  groups: Group[]
}
interface StoredRecord {
  id: number
  version: number
  answers: Values
  record: Values
  caseRecord: Values
  client: Values
}

const BATCH = 200
/** Milliseconds of validation before yielding to the event loop. */
const TURN = 10

/** Records that keep answers: their table, the form that validates them, and how they reach their case k. */
const ANSWERED_TABLES: { table: string; form: string; join: Sql }[] = [
  { table: 'cases', form: 'case_meta', join: sql`join cases k on k.id = r.id` },
  { table: 'issues', form: 'issue_meta', join: sql`join cases k on k.id = r."case"` },
]

/**
 * Revalidates records that were last validated with an older version of their form, and stores their invalid
 * fields; returns how many, and notifies open pages. A record saved meanwhile is skipped. Writes no new version
 * and no audit event.
 */
export async function revalidateRecords(context: RevalidationContext): Promise<number> {
  let validated = 0
  for (const target of ANSWERED_TABLES) {
    const { rows: forms } =
      await sql<Form>`select id, version, ${sql.ref(target.form)} as groups from case_types
      where id = any(array(${notValidated(target)})) order by id`.execute(context.db)
    for (const form of forms) validated += await revalidateForm(context, target, form)
  }
  if (validated > 0) await sql`select nextval('validity'), pg_notify(${CHANNEL}, '')`.execute(context.db)
  return validated
}

/** Case types with records that were not validated with their current version; usually none. */
function notValidated({ table, join }: (typeof ANSWERED_TABLES)[number]): Sql {
  return sql`select distinct t.id from ${sql.table(table)} r ${join} join case_types t on t.id = k.case_type
    where coalesce(r.validated_version, 0) < t.version`
}

async function revalidateForm(
  context: RevalidationContext,
  target: (typeof ANSWERED_TABLES)[number],
  form: Form,
): Promise<number> {
  let validated = 0
  for (let last = 0; !context.ending.aborted; ) {
    const { rows } =
      await sql<StoredRecord>`select r.id, r.version, r.answers, to_jsonb(r) - 'answers' as record,
        to_jsonb(k) - 'answers' as "caseRecord", to_jsonb(c) as client
      from ${sql.table(target.table)} r ${target.join} join clients c on c.id = k.client
      where k.case_type = ${form.id} and coalesce(r.validated_version, 0) < ${form.version} and r.id > ${last}
      order by r.id limit ${BATCH}`.execute(context.db)
    if (rows.length === 0) break
    validated += await store(context.db, target.table, form.version, await invalidOf(context, form, rows))
    last = rows[rows.length - 1].id
  }
  return validated
}

/** The fields of each record that are missing or wrong, found in turns so that others are served between. */
async function invalidOf({ timeZone }: RevalidationContext, { groups }: Form, rows: StoredRecord[]) {
  const date = today(timeZone)
  const results: { id: number; version: number; invalid: string[] }[] = []
  let turn = performance.now()
  for (const { id, version, answers, record, caseRecord, client } of rows) {
    const conditionContext = { record, user: {}, with: { case: caseRecord, client } }
    const { invalid } = applyChanges({
      groups,
      stored: answers,
      sent: {},
      conditionContext,
      validateSchema: ajvValidate,
      today: date,
    })
    results.push({ id, version, invalid })
    if (performance.now() - turn < TURN) continue
    await new Promise(setImmediate)
    turn = performance.now()
  }
  return results
}

async function store(
  db: Db,
  table: string,
  version: number,
  results: { id: number; version: number; invalid: string[] }[],
): Promise<number> {
  const { numAffectedRows } = await sql`update ${sql.table(table)} r
    set invalid_fields = f.invalid, validated_version = ${version}
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as f(id int, version int, invalid text[])
    where r.id = f.id and r.version = f.version and coalesce(r.validated_version, 0) < ${version}`.execute(db)
  return Number(numAffectedRows)
}
