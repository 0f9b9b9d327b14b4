import { sql } from 'kysely'
import type { Row, Tx } from '../../core/db.ts'
import { UPLOADED_FILE } from '../../features/bulk/readUpload.ts'
import { setUpload } from '../../features/bulk/upload.ts'

const HEADINGS = ['First name', 'Last name', 'Date of birth']
const MAPPING = { 0: 'client.first_name', 1: 'client.last_name', 2: 'client.dob' }

/** A file with an error in every row, which the job reads and checks at the first start. */
const WARD_ROUND = `First name,Last name,Date of birth,Contract
Marguerite,Ashdown,14/03/1941,Herts CC
Idris,Penhallow,31/11/1958,Herts CC
Solveig,Marchbanks,31/06/1963,Herts CC
Tobias,,02/09/1977,
`
const UNDONE = [
  ['Perpetua', 'Lockhart', '19/01/1936'],
  ['Anselm', 'Draycott', '05/05/1969'],
]

interface DemoCase {
  id: number
  client: number
  first: string
  last: string
  dob: string
}

/**
 * Adds uploads by the hub manager: one that added some existing cases of the hub, one with wrong rows, and one that was
 * undone. `today` is YYYY-MM-DD.
 */
export async function addBulkUploads(tx: Tx, today: string): Promise<void> {
  const { rows } = await sql<{ staff: number; hub: number; case_type: number }>`
    select s.id as staff, s.hub, (select k.case_type from cases k join issues i on i."case" = k.id
      where i.hub = s.hub order by k.id limit 1) as case_type
    from staff s where s.username = 'hubmanager'`.execute(tx)
  const [{ staff, hub, case_type } = { staff: 0, hub: 0, case_type: null }] = rows
  if (case_type === null) return
  const common = { hub, case_type, created_by: staff, acting: staff }
  const read = {
    ...common,
    case_type_version: 1,
    headings: JSON.stringify(HEADINGS),
    mapping: JSON.stringify(MAPPING),
  }

  const { rows: cases } =
    await sql<DemoCase>`select k.id, k.client, c.first_name as first, c.last_name as last,
      to_char(c.dob, 'DD/MM/YYYY') as dob
    from cases k join clients c on c.id = k.client
    where k.case_type = ${case_type} and exists (select 1 from issues i where i."case" = k.id and i.hub = ${hub})
    order by k.id limit 3`.execute(tx)
  const done = await addUpload(
    tx,
    today,
    { ...read, name: 'Referrals from St Brigid.xlsx', state: 'done' },
    6,
  )
  for (const [i, { id, client, first, last, dob }] of cases.entries())
    await addRow(tx, done, i, [first, last, dob], { state: 'added', case: id, client })
  await setUpload(tx, done, { total: cases.length, counts: JSON.stringify({ added: cases.length }) })

  const undone = await addUpload(tx, today, { ...read, name: 'Old waiting list.xlsx', state: 'undone' }, 3)
  for (const [i, cells] of UNDONE.entries()) await addRow(tx, undone, i, cells, { state: 'undone' })
  await setUpload(tx, undone, {
    total: UNDONE.length,
    counts: JSON.stringify({ undone: UNDONE.length }),
  })

  const name = 'Ward round November.csv'
  const content = Buffer.from(WARD_ROUND)
  const waiting = await addUpload(tx, today, { ...common, name, state: 'reading' }, 1)
  await sql`insert into files (name, type, size, content, entity, record, created_by, created_at)
    values (${name}, 'text/csv', ${content.length}, ${content}, ${UPLOADED_FILE}, ${waiting}, ${staff},
      ${today}::date - 1 + time '10:20')`.execute(tx)
}

async function addUpload(tx: Tx, today: string, values: Row, daysAgo: number): Promise<number> {
  const names = Object.keys(values)
  const isApplied = values.state !== 'reading'
  const { rows } = await sql<{ id: number }>`insert into bulk_uploads
      (${sql.join(names.map((name) => sql.ref(name)))}, created_at, applied_at)
    values (${sql.join(names.map((name) => values[name]))}, ${today}::date - ${daysAgo}::int + time '10:20',
      case when ${isApplied} then ${today}::date - ${daysAgo}::int + time '10:40' end) returning id`.execute(
    tx,
  )
  return rows[0].id
}

async function addRow(tx: Tx, upload: number, i: number, cells: string[], values: Row): Promise<void> {
  await sql`insert into bulk_rows (upload, row, cells, person, state, client, "case")
    values (${upload}, ${i + 2}, ${JSON.stringify(cells)}, ${cells.slice(0, 2).join(' ')}, ${values.state},
      ${values.client ?? null}, ${values.case ?? null})`.execute(tx)
}
