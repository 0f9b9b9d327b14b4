import { sql } from 'kysely'
import { nameKey } from '../../../contract/compareKey.ts'
import { normaliseLine } from '../../../contract/normalise.ts'
import type { Values } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import type { Problem } from '../../core/problems.ts'
import type { DateOptions } from '../../records/files/cellDates.ts'
import { type NewCase, validateNewCase } from '../cases/newCase.ts'
import { caseTypeOf } from '../cases/newRecord.ts'
import { columnsByPath } from './mapping.ts'
import { bodyOfRow, errorsInColumns, type RowReading } from './rowBody.ts'
import { targetsOf } from './targets.ts'
import type { RowError, Upload, UploadRow } from './upload.ts'

/** The outcome of a row: a new case that can be stored, or its errors. */
export interface ExaminedRow {
  row: UploadRow
  errors: RowError[]
  newCase?: NewCase
  /** The name in the row. */
  person: string
  /** Keys by which the same person is recognised in another row. */
  keys: string[]
  /** Clients who may be the same person. */
  matches: number[]
  matchedBy: string | null
}

interface Person {
  id: number
  first: string
  last: string
  dob: string | null
  nhs: string | null
}

/** The case type of an upload, in its present version, and its targets and columns. */
export async function readingOf(call: Call, upload: Upload): Promise<RowReading> {
  const type = await caseTypeOf(call, { case_type: upload.case_type })
  return {
    type,
    targets: targetsOf(call.contract, type, call.me),
    columns: columnsByPath(upload.mapping),
    answers: upload.answers,
    dates: datesOf(call, upload),
  }
}

/** How dates of an upload are read: numbers are dates only in files that an earlier release read. */
export function datesOf({ settings }: Call, { findings, date1904 }: Upload): DateOptions {
  return { timeZone: settings.TIME_ZONE, serials: findings === null, date1904 }
}

/** Validates each row like POST /case/, and searches for clients who may be the same people. */
export async function examineRows(
  call: Call,
  reading: RowReading,
  rows: UploadRow[],
): Promise<ExaminedRow[]> {
  const examined: ExaminedRow[] = []
  for (const row of rows) examined.push(await examineRow(call, reading, row))
  const people = examined.flatMap(({ row, newCase }) =>
    newCase && newCase.client.id === undefined ? [personIn(row.id, newCase.client.row)] : [],
  )
  const matches = await matchesOf(call.db, people)
  return examined.map((one) => ({ ...one, ...matches.get(one.row.id) }))
}

async function examineRow(call: Call, reading: RowReading, row: UploadRow): Promise<ExaminedRow> {
  const { body, errors } = await bodyOfRow(call, row.cells, reading)
  const person = personIn(row.id, body.client as Values)
  const common = {
    row,
    person: `${person.first} ${person.last}`.trim(),
    keys: keysOf(person),
    matches: [],
    matchedBy: null,
  }
  const client = clientOf(row) ?? body.client
  try {
    const newCase = await validateNewCase(
      { ...call, body: { ...body, client } },
      { caseType: reading.type, withDefaults: true },
    )
    return { ...common, errors, ...(errors.length === 0 && { newCase }) }
  } catch (error) {
    const found = errorsOf(error)
    // A cell that cannot be read is missing in the body: report only its own error.
    const unread = new Set(errors.map(({ column }) => column))
    const others = errorsInColumns(found, row.cells, reading).filter(
      ({ column }) => column === null || !unread.has(column),
    )
    return { ...common, errors: [...errors, ...others] }
  }
}

/** The client whom somebody chose for a row: one who was there, or that of an earlier row once it was added. */
function clientOf({ decision, chosen, same_client }: UploadRow): number | null {
  if (decision === 'use') return chosen
  return decision === 'same' ? same_client : null
}

/** The field errors of a problem, or its message; rethrows other errors. */
function errorsOf(error: unknown): Record<string, string[]> {
  const { body } = error as Problem
  if (!body) throw error
  return 'code' in body ? { '': [String(body.message)] } : (body as Record<string, string[]>)
}

function personIn(id: number, client: Values): Person {
  const text = (name: string) =>
    typeof client[name] === 'string' ? normaliseLine(client[name] as string) : ''
  return {
    id,
    first: text('first_name'),
    last: text('last_name'),
    dob: text('dob') || null,
    nhs: text('nhs_number').replaceAll(/\D/g, '') || null,
  }
}

function keysOf({ first, last, dob, nhs }: Person): string[] {
  return [...(nhs ? [`nhs ${nhs}`] : []), ...(dob && last ? [`name ${nameKey(first, last)} ${dob}`] : [])]
}

/** Clients with the same NHS number, or the same name and date of birth, by row id; also those out of scope. */
async function matchesOf(
  db: Db,
  people: Person[],
): Promise<Map<number, Pick<ExaminedRow, 'matches' | 'matchedBy'>>> {
  if (people.length === 0) return new Map()
  const { rows } = await sql<{ id: number; matches: number[]; by_nhs: boolean; by_name: boolean }>`
    with people as materialized (
      select id, name_key(first, last) as name, dob, nhs
      from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as p(id int, first text, last text, dob date, nhs text)
    )
    select p.id, array_agg(distinct c.id) as matches, bool_or(c.by_nhs) as by_nhs, bool_or(not c.by_nhs) as by_name
    from people p cross join lateral (
      select id, true as by_nhs from clients where array[digits(nhs_number)] && array[p.nhs] and p.nhs is not null
      union all
      -- Uses the index of names, not of dates: thousands have the same date of birth because theirs is unknown.
      select id, false from clients where name_key = p.name and dob is not distinct from p.dob and p.dob is not null
      limit 10
    ) c group by p.id`.execute(db)
  return new Map(
    rows.map(({ id, matches, by_nhs, by_name }) => {
      const words = [...(by_nhs ? ['NHS number'] : []), ...(by_name ? ['name and date of birth'] : [])]
      return [id, { matches, matchedBy: words.join(', ') }]
    }),
  )
}
