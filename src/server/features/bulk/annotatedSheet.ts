import { sql } from 'kysely'
import { isDay } from '../../../contract/fieldTypes.ts'
import type { Call } from '../../core/call.ts'
import { refuseStaleExport } from '../../records/files/export.ts'
import { writeSheet } from '../../records/files/writeSheet.ts'
import { readingOf } from './examineRows.ts'
import { ROW_OF_FILE, WHAT_IS_WRONG } from './mapping.ts'
import { displayed, isWrongCell } from './rowBody.ts'
import { LEAVE_OUT } from './targets.ts'
import type { RowError, Upload, UploadRow } from './upload.ts'

/** The wrong rows of an upload with their errors in front, to be corrected and uploaded again. */
export async function annotatedSheet(call: Call, upload: Upload): Promise<Buffer> {
  const { rows } = await sql<UploadRow & { errors: RowError[] }>`select row, cells, errors from bulk_rows
    where upload = ${upload.id} and state = 'wrong' order by row`.execute(call.db)
  await refuseStaleExport(call, rows.length)
  const { targets, dates } = await readingOf(call, upload)
  const fieldAt = upload.headings.map((_, i) => targets.find(({ path }) => path === upload.mapping[i])?.field)
  const dataColumns = upload.headings.flatMap((heading, i) =>
    upload.mapping[i] === LEAVE_OUT && [WHAT_IS_WRONG, ROW_OF_FILE].includes(heading) ? [] : i,
  )
  const headings = [WHAT_IS_WRONG, ROW_OF_FILE, ...dataColumns.map((i) => upload.headings[i])]
  const cellsOf = ({ row, cells, errors }: UploadRow & { errors: RowError[] }) => [
    errors.map(({ message }) => message).join('; '),
    row,
    ...dataColumns.map((i) => {
      const cell = cells[i] ?? null
      // In files that an earlier release read, a number may be a date.
      const field = fieldAt[i]
      const isPlain = typeof cell === 'number' && !(dates.serials && field && isDay(field))
      return isPlain || typeof cell === 'boolean' || isWrongCell(cell)
        ? plain(cell)
        : displayed(cell, field, dates)
    }),
  ]
  return writeSheet(headings, rows, cellsOf, {
    Title: `Rows to correct of ${upload.name}`,
    Subject: `Upload ${upload.id}`,
    Author: `${call.me.first_name} ${call.me.last_name}`.trim(),
    CreatedDate: new Date(),
  })
}

function plain(cell: unknown): unknown {
  return cell !== null && typeof cell === 'object' ? (cell as { value: unknown }).value : cell
}
