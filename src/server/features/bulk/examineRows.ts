import { nameKey } from '../../../contract/compareKey.ts'
import { normaliseLine } from '../../../contract/normalise.ts'
import type { Values } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import { hasFieldErrors, type Problem } from '../../core/problems.ts'
import type { DateOptions } from '../../records/files/cellDates.ts'
import { type NewCase, validateNewCase } from '../cases/newCase.ts'
import { caseTypeOf } from '../cases/newRecord.ts'
import { matchRows } from '../likeness/matchRows.ts'
import { type Person, personIn } from '../likeness/person.ts'
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
  /** Clients who may be the same person, the most alike first. */
  matches: number[]
  /** Why, a line for each of them. */
  matchedBy: string | null
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
  const added = examined.filter(({ newCase }) => newCase && newCase.client.id === undefined)
  const people = added.map(({ newCase }) => personIn(newCase!.client.row as Values))
  const matches = await matchRows(call, people)
  for (const [i, one] of added.entries()) {
    one.matches = matches[i].map(({ id }) => id)
    one.matchedBy = matches[i].map(({ reasons }) => reasons.join(', ')).join('\n') || null
  }
  return examined
}

async function examineRow(call: Call, reading: RowReading, row: UploadRow): Promise<ExaminedRow> {
  const { body, errors } = await bodyOfRow(call, row.cells, reading)
  const person = personIn((body.client ?? {}) as Values)
  const common = {
    row,
    person: normaliseLine(`${person.first_name ?? ''} ${person.last_name ?? ''}`),
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

/** The client whom somebody chose for a row: an existing one, or the one that an earlier row has added. */
function clientOf({ decision, chosen, same_client }: UploadRow): number | null {
  if (decision === 'use') return chosen
  return decision === 'same' ? same_client : null
}

/** The field errors of a problem, or its message; rethrows other errors. */
function errorsOf(error: unknown): Record<string, string[]> {
  const { body } = error as Problem
  if (!body) throw error
  return hasFieldErrors(body) ? body : { '': [String(body.message)] }
}

function keysOf({ first_name = '', last_name, dob, nhs_number }: Person): string[] {
  const nhs = (nhs_number ?? '').replaceAll(/\D/g, '')
  return [
    ...(nhs ? [`nhs ${nhs}`] : []),
    ...(dob && last_name ? [`name ${nameKey(first_name ?? '', last_name)} ${dob}`] : []),
  ]
}
