import { sql } from 'kysely'
import { applyChanges } from '../../../contract/applyChanges.ts'
import type { Calendars } from '../../../contract/deadlines/calendars.ts'
import { holidaysOfCase, usesCalendar } from '../../../contract/deadlines/holidaysAround.ts'
import type { Field, Group } from '../../../contract/generated.ts'
import { type Seen, sourceOfPath } from '../../../contract/seen.ts'
import { seenPathsOf } from '../../../contract/seenPaths.ts'
import { type Values, valueAt } from '../../../contract/when.ts'
import { ajvValidate } from '../../core/ajvValidate.ts'
import type { Db, Sql } from '../../core/db.ts'
import { today } from '../../core/today.ts'
import { CHANNEL } from '../../core/versionEvents.ts'
import { type AnsweredEntity, isCurrent } from '../answerMigrations/pendingMigrations.ts'
import type { StoredSeenValues } from '../answersSeen/readOutside.ts'
import { invalidForAll, markFollowing, storedSeen } from '../answersSeen/seenOfRecord.ts'
import type { Changes } from '../audit/audit.ts'
import { answerChanges, type HiddenAnswers, hiddenValues, storedHidden } from '../hiddenAnswers/entries.ts'
import { readCalendars } from '../lookups/bankHolidays.ts'

interface RevalidationContext {
  db: Db
  /** Time zone of the current date. */
  timeZone: string
  /** Code of the calendar of bank holidays of council areas that name none. */
  bankHolidays: string
  /** Ends the work after the current batch; the next run continues there. */
  ending: AbortSignal
}
interface Form {
  /** Id of the case type. */
  id: number
  version: number
  groups: Group[]
  /** Undefined for a form that looks at no calendar. */
  calendars?: Calendars
}
interface StoredRecord {
  id: number
  answers_seen: StoredSeenValues
  /** The answers of the case of an issue, if its form names one. */
  caseAnswers: Values | null
  version: number
  case_type_version: number
  answers: Values
  hidden_answers: Values
  record: Values
  caseRecord: Values
  client: Values
}

/** Result of validating a record with its form's current version; without `answers` its answers stay. */
interface Result {
  id: number
  version: number
  /** The version of the form whose names and values the answers had. */
  answered: number
  invalid: string[]
  answers?: Values
  hidden?: HiddenAnswers
  /** What the form looks at outside of it, with values that were not stored yet. */
  seen?: StoredSeenValues
  changes?: Changes
}

const NO_ANSWERS = sql`'{answers,hidden_answers,answers_seen}'::text[]`
const BATCH = 200
/** Milliseconds of validation before yielding to the event loop. */
const TURN = 10

/** Records with answers: their table, the form that validates them, and the join to their case k. */
const ANSWERED_TABLES: { table: string; entity: AnsweredEntity; form: string; join: Sql }[] = [
  { table: 'cases', entity: 'case', form: 'case_meta', join: sql`join cases k on k.id = r.id` },
  { table: 'issues', entity: 'issue', form: 'issue_meta', join: sql`join cases k on k.id = r."case"` },
]

/**
 * Revalidates records that were last validated with an older version of their form, stores their invalid fields and
 * moves answers that the form hides to the hidden ones; returns how many, and notifies open pages. A record saved
 * meanwhile, or whose answers a migration has not moved yet, is skipped. Only a record whose answers change gets a new
 * version and an audit event, of the system.
 */
export async function revalidateRecords(context: RevalidationContext): Promise<number> {
  let validated = 0
  for (const target of ANSWERED_TABLES) {
    const { rows: forms } =
      await sql<Form>`select id, version, ${sql.ref(target.form)} as groups from case_types
      where id = any(array(${notValidated(target)})) order by id`.execute(context.db)
    for (const form of forms) {
      const calendars = usesCalendar(form.groups)
        ? await readCalendars(context.db, context.bankHolidays)
        : undefined
      validated += await revalidateForm(context, target, { ...form, calendars })
    }
  }
  if (validated > 0) await sql`select nextval('validity'), pg_notify(${CHANNEL}, '')`.execute(context.db)
  return validated
}

/** Case types with records that were not validated with their current version; usually none. */
function notValidated({ table, join }: (typeof ANSWERED_TABLES)[number]): Sql {
  return sql`select distinct t.id from ${sql.table(table)} r ${join} join case_types t on t.id = k.case_type
    where ${isOlderThan(sql`t.version`)}`
}

/** Servers of the release before only set validated_version. */
function isOlderThan(version: Sql): Sql {
  return sql`least(coalesce(r.validated_version, 0), coalesce(r.counted_version, 0)) < ${version}`
}

async function revalidateForm(
  context: RevalidationContext,
  target: (typeof ANSWERED_TABLES)[number],
  form: Form,
): Promise<number> {
  let validated = 0
  for (let last = 0; !context.ending.aborted; ) {
    const { rows } =
      await sql<StoredRecord>`select r.id, r.version, r.case_type_version, r.answers, r.hidden_answers, r.answers_seen, to_jsonb(r) - ${NO_ANSWERS} as record,
        to_jsonb(k) - ${NO_ANSWERS} as "caseRecord", to_jsonb(c) as client,
        ${looksAtCase(form.groups) ? sql`k.answers` : sql`null`} as "caseAnswers"
      from ${sql.table(target.table)} r ${target.join} join clients c on c.id = k.client
      where k.case_type = ${form.id} and ${isOlderThan(sql`${form.version}::int`)} and ${isCurrent(target.entity)}
        and r.id > ${last}
      order by r.id limit ${BATCH}`.execute(context.db)
    if (rows.length === 0) break
    validated += await store(context.db, target, form.version, await resultsOf(context, form, rows))
    last = rows[rows.length - 1].id
  }
  return validated
}

/** Validates each record, yielding to the event loop every TURN milliseconds. */
async function resultsOf(
  { timeZone }: RevalidationContext,
  { groups, version: formVersion, calendars }: Form,
  rows: StoredRecord[],
) {
  const date = today(timeZone)
  const calculated = new Set(
    groups
      .flatMap((g) => g.fields)
      .filter(isCalculated)
      .map((f) => f.name),
  )
  const results: Result[] = []
  let turn = performance.now()
  for (const stored of rows) {
    const { id, version, case_type_version: answered, answers, hidden_answers, ...around } = stored
    const { record, caseRecord, client } = around
    const seen = seenInJob(groups, stored, date)
    const holidays = holidaysOfCase(calendars, caseRecord)
    const conditionContext = { record, user: {}, with: { case: caseRecord, client }, holidays, seen }
    const hiddenBefore = hiddenValues(hidden_answers)
    const { invalid, values, hidden, changed } = applyChanges({
      groups,
      stored: answers,
      hidden: hiddenBefore,
      sent: {},
      conditionContext,
      validateSchema: ajvValidate,
      today: date,
    })
    const names = changed.filter((name) => calculated.has(name) || !(name in values) || name in hidden)
    const after = { answers: withChanged(answers, values, names), hidden }
    const changes = answerChanges({ answers, hidden: hiddenBefore }, after)
    markFollowing(changes, stored.answers_seen)
    const moved = { hidden: storedHidden(hidden_answers, hidden, () => ({ version: formVersion })), changes }
    results.push({
      id,
      version,
      answered,
      invalid: invalidForAll(groups, invalid),
      ...(Object.keys(seen.values).length > 0 && { seen: storedSeen(groups, seen.values) }),
      ...(names.length > 0 && { answers: after.answers, ...moved }),
    })
    if (performance.now() - turn < TURN) continue
    await new Promise(setImmediate)
    turn = performance.now()
  }
  return results
}

function looksAtCase(groups: Group[]): boolean {
  return seenPathsOf(groups).some((path) => sourceOfPath(path) === 'case')
}

/**
 * The values from outside that a form is evaluated with, with the present ones of the client and the case where a
 * publication names new ones. A job does not read the last record, whose values wait for the next save.
 */
function seenInJob(groups: Group[], stored: StoredRecord, day: string): Seen & { values: StoredSeenValues } {
  const { answers_seen, client, caseRecord, caseAnswers } = stored
  const records = { client, case: { ...caseRecord, answers: caseAnswers ?? {} } }
  const values = seenPathsOf(groups).flatMap((path): [string, StoredSeenValues[string]][] => {
    if (Object.hasOwn(answers_seen, path)) return [[path, answers_seen[path]]]
    const source = sourceOfPath(path)
    if (source === 'last' || source === undefined) return []
    const record = Number((source === 'client' ? client : caseRecord).id)
    return [[path, { value: valueAt(path, { with: records }) ?? null, record, day }]]
  })
  return { values: Object.fromEntries(values), fields: new Map() }
}

/** True if a field, or a column of its rows, is calculated. */
function isCalculated({ attrs, fields = [] }: Field): boolean {
  return attrs?.calc !== undefined || fields.some(isCalculated)
}

/** The stored answers with the new values of some fields; an answer that has none is left out. */
function withChanged(stored: Values, values: Values, names: string[]): Values {
  const isOther = ([name]: [string, unknown]) => !names.includes(name)
  const now = Object.entries(values).filter(([name]) => names.includes(name))
  return Object.fromEntries([...Object.entries(stored).filter(isOther), ...now])
}

async function store(
  db: Db,
  { table, entity }: (typeof ANSWERED_TABLES)[number],
  version: number,
  results: Result[],
): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    // A publication sets the states of automations, but does not let anything happen.
    await sql`select set_config('casework.fires', 'off', true)`.execute(tx)
    const { rows } = await sql<{ count: number }>`with changed as (
      update ${sql.table(table)} r
      set invalid_fields = f.invalid, validated_version = ${version}, counted_version = ${version},
        answers = coalesce(f.answers, r.answers), hidden_answers = coalesce(f.hidden, r.hidden_answers),
        case_type_version = case when f.answers is null then r.case_type_version else ${version} end,
        answers_seen = coalesce(f.seen, r.answers_seen),
        version = r.version + (f.changes is not null)::int
      from jsonb_to_recordset(${JSON.stringify(results)}::jsonb)
        as f(id int, version int, answered int, invalid text[], answers jsonb, hidden jsonb, seen jsonb, changes jsonb)
      where r.id = f.id and r.version = f.version and r.case_type_version = f.answered and ${isOlderThan(sql`${version}::int`)}
      returning r.id, r.version, f.changes),
    audited as (
      insert into audit (action, entity, record, version, changes)
      select 'update', ${entity}, id, version, changes from changed where changes is not null)
    select count(*)::int as count from changed`.execute(tx)
    return rows[0].count
  })
}
