import xlsx from 'xlsx'
import { entityOfCall } from '../contract/crossCheck.ts'
import { fieldOf } from '../contract/entity.ts'
import type { Entity, Property } from '../contract/types.ts'
import type { Values } from '../contract/when.ts'
import { note } from './audit.ts'
import type { Call } from './call.ts'
import type { Row } from './db.ts'
import { lookupLabels } from './lookupLabels.ts'
import { problem } from './problems.ts'
import { valueText } from './valueText.ts'

/** Columns that serve the machine, not the reader. */
const INNER = new Set(['search', 'created_by', 'version'])

/** Whether a list was asked for as an Excel file. */
export function exportAsked(query: Values): boolean {
  return query.format === 'xlsx'
}

/** Sends a list as an Excel file with one sheet, 'data'; written to the audit. */
export async function sendSheet(call: Call, result: unknown) {
  const entity = call.contract.entities[entityOfCall(call.contract, call.name) ?? '']
  const rows = (result as { data?: unknown }).data
  if (!entity || rows === undefined)
    throw problem('badRequest', { message: 'This call has no list to export' })
  const list = Array.isArray(rows) ? rows : Object.values(rows as object)
  await note(call, {
    action: 'export',
    entity: entity.$id,
    record: null,
    changes: { rows: { from: null, to: list.length } },
  })
  const book = xlsx.utils.book_new()
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(await table(call, entity, list)), 'data')
  const file = `${call.name.replaceAll('.', '-')}.xlsx`
  return call.reply
    .header('content-type', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .header('content-disposition', `attachment; filename="${file}"`)
    .send(xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }))
}

async function table(call: Call, entity: Entity, rows: Row[]): Promise<unknown[][]> {
  const asked = String((call.request.query as Values).columns ?? '').split(',')
  const all = Object.entries(entity.properties).filter(([name]) => !INNER.has(name))
  const chosen = all.filter(([name]) => asked.includes(name))
  const columns = chosen.length > 0 ? chosen : all
  const labels = await lookupLabels(
    call,
    columns.flatMap(([, p]) => [p, ...Object.values(p.columns ?? {})]).flatMap(({ lookup }) => lookup ?? []),
  )
  const cells = rows.map((row) =>
    columns.map(([name, p]) =>
      p.columns
        ? harmless(valueText(row[name], fieldOf(name, p, false), labels))
        : cell(row[name], p, p.lookup ? labels[p.lookup] : undefined),
    ),
  )
  return [columns.map(([, p]) => p.title), ...cells]
}

function cell(value: unknown, property: Property, labels: Map<number, string> | undefined): unknown {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map((one) => cell(one, property, labels)).join(', ')
  if (labels) return harmless(labels.get(Number(value)) ?? String(value))
  const option = property.options?.find((o) => o.value === value)
  if (option) return option.label
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? harmless(value) : value
}

/** A text that a spreadsheet would take for a formula, made a plain text. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}
