import { sql } from 'kysely'
import type { Contract } from '../../../contract/contract.ts'
import { refreshAccess } from '../../access/accessRows.ts'
import { hashPassword } from '../../access/password.ts'
import type { Db, Row, Sql, Tx } from '../../core/db.ts'
import { SETTINGS } from '../../core/settingsSchema.ts'
import { evaluateCases } from '../../features/automations/evaluateCases.ts'
import { loadCases } from '../../features/automations/loadCases.ts'
import { loadDeadlines } from '../../features/deadlines/loadDeadlines.ts'
import { readCalendars } from '../../records/lookups/bankHolidays.ts'
import { activitiesOf } from './activities.ts'
import { addGroupMembers, dateStates, excuseOldDeadlines, recentCases } from './automations.ts'
import { addBulkUploads } from './bulkUploads.ts'
import { readCaseKinds } from './caseKinds.ts'
import type { Rows } from './caseRecords.ts'
import type { Casework } from './casework.ts'
import { clientRecordMaker } from './clientRecords.ts'
import type { DemoContext, Words } from './context.ts'
import { readData } from './data.ts'
import { dayOf } from './days.ts'
import { load } from './load.ts'
import { readLookups } from './lookups.ts'
import { addPublicReferrals } from './publicReferrals.ts'
import { seeded } from './random.ts'
import { addReferrals } from './referrals.ts'
import { addStaff } from './staffing.ts'
import { addTasks, storeNextSteps } from './tasks.ts'
import { HUBS } from './team.ts'
import { addWorkNotices } from './workNotices.ts'

interface Options {
  contract: Contract
  clients: number
  password: string
  passwordCost: number
  /** YYYY-MM-DD; all dates are relative to it. */
  today: string
  onProgress?: (text: string) => void
}

/** Number of clients in the demo data that a server creates. */
export const DEMO_CLIENTS = 300
/** Whom to call instead of a public form: a number that is reserved for fiction. */
export const DEMO_CONTACT = '01632 960001, Monday to Friday, 9 am to 5 pm'
const SEED = 1982
const BATCH = 1000
// Tables whose rows are inserted with ids.
const IDENTITIES = [
  'staff',
  'clients',
  'cases',
  'issues',
  'files',
  'actions',
  'risks',
  'communication_issues',
  'issue_documents',
  'referral_requests',
  'referral_messages',
  'referral_comments',
]
const OTHERS = ['case_monitoring', 'issue_monitoring', 'signposts', 'activities', 'audit', 'lookup']
const TABLES = [
  ...IDENTITIES,
  ...OTHERS,
  'answer_index',
  'answer_values',
  'tasks',
  'client_access',
  'case_access',
]
// Tables whose rows triggers may have inserted, with their unique columns.
const KEYS: Record<string, string> = { case_monitoring: 'case', issue_monitoring: 'issue' }

/**
 * Fills a database that has its defaults with invented staff, clients, cases and issues, in one transaction. The rows
 * are always the same, except the salt of the password. Does nothing if there is any staff.
 */
export async function fillDemo(db: Db, options: Options): Promise<void> {
  const hash = await hashPassword(options.password, options.passwordCost)
  await db.transaction().execute(async (tx) => {
    await sql`lock table staff in share row exclusive mode`.execute(tx) // so that of two servers that start at once only one fills it
    const { rows } = await sql`select 1 from staff limit 1`.execute(tx)
    if (rows.length > 0) return
    // Between two statements it makes rows, which takes long on a busy machine.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    const isWithoutTriggers = await disableTriggers(tx)
    const context = await makeContext(tx, options, hash)
    await fillClients(tx, context, isWithoutTriggers, options)
    if (isWithoutTriggers) {
      await storeKeys(tx, 'staff')
      // A server may have counted that there are no records.
      await sql`delete from answer_counts`.execute(tx)
    }
    await load(tx, 'activities', activitiesOf(context))
    await addReferrals(tx, context)
    for (const table of IDENTITIES) {
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), coalesce(max(id), 1)) from ${sql.table(table)}`.execute(
        tx,
      )
    }
    await addPublicReferrals(tx, context)
    await addBulkUploads(tx, options.today)
    await addTasks(tx, context.casework, options.today)
    await addWorkNotices(tx, options.contract, options.today)
    await addGroupMembers(tx)
    await evaluateAll(tx, options)
    await storeNextSteps(tx)
    await analyze(tx)
  })
}

/** Stores the states of all automations. For some recent cases they also plan steps and notify, as in a real week. */
async function evaluateAll(tx: Tx, { contract, today }: Options): Promise<void> {
  await sql`delete from automation_changes`.execute(tx)
  const calendars = await readCalendars(tx, SETTINGS.BANK_HOLIDAYS.default)
  const recent = await recentCases(tx)
  // Each case has notices of its own.
  const batches = new Map([...recent].map((id) => [id, `case ${id}`]))
  const firing = new Map([...recent].map((id) => [id, 'all' as const]))
  const evaluate = async (ids: Sql) => {
    const [cases, deadlines] = await Promise.all([loadCases(tx, ids), loadDeadlines(tx, ids)])
    await evaluateCases(
      { db: tx, contract, log: console, today, by: null },
      { cases, firing, batches, deadlines, calendars },
    )
    return cases.at(-1)?.id
  }
  for (let last: number | undefined = 0; last !== undefined; )
    last = await evaluate(sql`select id from cases where id > ${last} order by id limit ${BATCH}`)
  const excused = await excuseOldDeadlines(tx, today)
  for (let i = 0; i < excused.length; i += BATCH)
    await evaluate(sql`select unnest(${excused.slice(i, i + BATCH)}::int[])`)
  await dateStates(tx, today)
  const { rows } = await sql<{ client: number }>`select client from automation_states where groups <> '{}'
    union select from_client from referral_requests where from_client is not null`.execute(tx)
  await refreshAccess(
    tx,
    rows.map(({ client }) => client),
  )
}

async function analyze(tx: Tx): Promise<void> {
  await sql`analyze ${sql.join(TABLES.map((table) => sql.table(table)))}`.execute(tx)
}

async function makeContext(tx: Tx, { clients, today }: Options, password: string): Promise<DemoContext> {
  await sql`insert into lookup (kind, value, label, attrs, active, position)
    select kind, value, label, attrs, active, position from json_populate_recordset(null::lookup, ${JSON.stringify(HUBS)}::json)
    on conflict do nothing`.execute(tx)
  const random = seeded(SEED)
  const words = readData<Words>('words.json')
  const lookups = await readLookups(tx)
  const day = dayOf(today)
  return {
    random,
    work: seeded(SEED + 1),
    words,
    lookups,
    today: day,
    ids: {
      clients: 0,
      cases: 0,
      issues: 0,
      actions: 0,
      risks: 0,
      communication_issues: 0,
      issue_documents: 0,
      files: 0,
    },
    phrases: readData<DemoContext['phrases']>('phrases.json'),
    casework: readData<Casework>('casework.json'),
    kinds: await readCaseKinds(tx, lookups),
    staffing: await addStaff(tx, { clients, password, lookups, random, words, today: day }),
  }
}

async function fillClients(
  tx: Tx,
  context: DemoContext,
  isWithoutTriggers: boolean,
  { clients, onProgress }: Options,
): Promise<void> {
  const addClient = clientRecordMaker(context)
  let analyzed = 0
  for (let done = 0; done < clients; ) {
    const rows: Rows = {
      clients: [],
      cases: [],
      issues: [],
      case_monitoring: [],
      issue_monitoring: [],
      signposts: [],
      files: [],
      actions: [],
      risks: [],
      communication_issues: [],
      issue_documents: [],
      audit: [],
    }
    const next = Math.min(done + BATCH, clients)
    for (; done < next; done++) addClient(rows)
    for (const [table, some] of Object.entries(rows)) await load(tx, table, some, KEYS[table])
    if (isWithoutTriggers) {
      await indexAnswers(tx, rows)
      await storeKeys(tx, 'clients', rows.clients)
      // The plans of small tables would be kept for large ones.
      if (done >= 2 * analyzed) {
        await analyze(tx)
        analyzed = done
      }
      await refreshAccess(
        tx,
        rows.clients.map(({ id }) => id as number),
      )
    } else await restoreTouchedAt(tx, rows)
    onProgress?.(`${done} of ${clients} clients`)
  }
}

/** Disables triggers for this transaction; false if the user lacks the privilege. The rows have the derived columns. */
async function disableTriggers(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{
    may: boolean
  }>`select has_parameter_privilege('session_replication_role', 'set') as may`.execute(tx)
  if (rows[0].may) await sql`set local session_replication_role = replica`.execute(tx)
  return rows[0].may
}

/** Stores the search keys of people as triggers would. */
async function storeKeys(tx: Tx, table: 'clients' | 'staff', rows?: Row[]): Promise<void> {
  const other = sql.ref(table === 'clients' ? 'known_as' : 'username')
  await sql`update ${sql.table(table)} set name_key = name_key(first_name, last_name),
      search_key = concat_ws(' ', search_key(first_name), search_key(last_name), nullif(search_key(${other}), ''))
    where ${rows ? sql`id = any(${rows.map(({ id }) => id)}::int[])` : sql`true`}`.execute(tx)
}

/** Indexes answers as triggers would. */
async function indexAnswers(tx: Tx, { cases, issues }: Rows): Promise<void> {
  const ids = (rows: Row[]) => sql`${rows.map(({ id }) => id)}::int[]`
  await sql`select count(index_answers(k.id, null, t.id, 'case', t.case_searched, k.answers)::text)
    from cases k join case_types t on t.id = k.case_type where k.id = any(${ids(cases)})`.execute(tx)
  await sql`select count(index_answers(k.id, i.id, t.id, 'issue', t.issue_searched, i.answers)::text)
    from issues i join cases k on k.id = i."case" join case_types t on t.id = k.case_type
    where i.id = any(${ids(issues)})`.execute(tx)
}

/** Restores `touched_at` of cases, which the triggers set to now when issues are inserted. */
async function restoreTouchedAt(tx: Tx, { cases }: Rows): Promise<void> {
  const times = JSON.stringify(cases.map(({ id, touched_at }) => ({ id, touched_at })))
  await sql`update cases k set touched_at = t.touched_at
    from json_populate_recordset(null::cases, ${times}::json) t where t.id = k.id`.execute(tx)
}
