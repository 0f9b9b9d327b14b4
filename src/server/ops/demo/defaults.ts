import { sql } from 'kysely'
import type { Db, Row, Tx } from '../../core/db.ts'
import { readData } from './data.ts'
import { load } from './load.ts'

interface Item {
  value: number
  label: string
  active?: boolean
  [attr: string]: unknown
}
interface CaseType {
  value: number
  label: string
  service: number
  case_meta: unknown
  issue_meta: unknown
  tests: unknown
  automations: unknown
  deadlines: unknown
}

const CONSENT_TEXT = [
  'We write down what you tell us so that we can speak up for you. We keep it safe, and only the people who work ' +
    'with you here can read it.',
  'We share it with others, such as your doctor or the council, only if you say yes. The exception is when ' +
    'somebody is in danger or the law tells us to; we will tell you first if we can.',
  'You can ask to see what we hold, have mistakes put right, change your mind or complain. We keep your file for ' +
    'as long as our contract says after we finish, and then delete it.',
].join('\n\n')

/** Inserts the required lookups, case types and consent text into a database without lookups; true if it did so. */
export async function fillDefaults(db: Db): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await sql`lock table lookup in share row exclusive mode`.execute(tx) // so that of two servers that start at once only one fills it
    const { rows } = await sql`select 1 from lookup limit 1`.execute(tx)
    if (rows.length > 0) return false
    await load(tx, 'lookup', lookupRows())
    await addCaseTypes(tx)
    await sql`insert into consent_texts (text) values (${CONSENT_TEXT})`.execute(tx)
    return true
  })
}

function lookupRows(): Row[] {
  const { staff: _, ...lists } = readData<Record<string, Item[]>>('lookups.json')
  return Object.entries(lists).flatMap(([kind, items]) =>
    items.map(({ value, label, active = true, ...attrs }, position) => ({
      kind,
      value,
      label,
      attrs,
      active,
      position,
    })),
  )
}

async function addCaseTypes(tx: Tx): Promise<void> {
  const types = readData<CaseType[]>('case-types.json')
  const rows = types.map(
    ({ value, label, service, case_meta, issue_meta, tests, automations, deadlines }) => ({
      id: value,
      label,
      service,
      case_meta,
      issue_meta,
      tests,
      automations,
      deadlines,
    }),
  )
  await load(tx, 'case_types', rows)
  await sql`insert into case_type_versions (case_type, version, label, case_meta, issue_meta, tests, automations, deadlines)
    select id, version, label, case_meta, issue_meta, tests, automations, deadlines from case_types`.execute(
    tx,
  )
  await sql`select setval(pg_get_serial_sequence('case_types', 'id'), max(id)) from case_types`.execute(tx)
}
