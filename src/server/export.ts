import xlsx from 'xlsx'
import { entityOfCall } from '../contract/crossCheck.ts'
import { fieldOf } from '../contract/entity.ts'
import { suggest } from '../contract/suggest.ts'
import type { Entity, Property } from '../contract/types.ts'
import type { Values } from '../contract/when.ts'
import { note } from './audit.ts'
import type { Call } from './call.ts'
import type { Row } from './db.ts'
import { lookupLabels } from './lookupLabels.ts'
import { fieldProblem, problem } from './problems.ts'
import { rawQuery } from './query.ts'
import { valueText } from './valueText.ts'

type Column = [name: string, property: Property]

/** Columns that serve the machine: only in the file where they are asked for. */
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
  const columns = columnsAsked(call, entity)
  await note(call, {
    action: 'export',
    entity: entity.$id,
    record: null,
    changes: { rows: { from: null, to: list.length } },
  })
  const book = xlsx.utils.book_new()
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(await table(call, columns, list)), 'data')
  const file = `${call.name.replaceAll('.', '-')}.xlsx`
  return call.reply
    .header('content-type', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .header('content-disposition', `attachment; filename="${file}"`)
    .send(xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }))
}

/** The columns of `columns=a,b` in that order; without it all that a reader can use. */
function columnsAsked(call: Call, { properties, title }: Entity): Column[] {
  const asked = String(rawQuery(call.request).columns ?? '')
    .split(',')
    .filter((name) => name !== '')
  if (asked.length === 0) return Object.entries(properties).filter(([name]) => !INNER.has(name))
  const known = Object.keys(properties)
  const unknown = asked.filter((name) => !known.includes(name))
  const words = (name: string) => `no field '${name}' in ${title}${suggest(name, known)}`
  if (unknown.length > 0) throw fieldProblem({ columns: unknown.map(words) })
  return [...new Set(asked)].map((name) => [name, properties[name]])
}

async function table(call: Call, columns: Column[], rows: Row[]): Promise<unknown[][]> {
  const labels = await lookupLabels(
    call,
    columns.flatMap(([, p]) => [p, ...Object.values(p.columns ?? {})]).flatMap(({ lookup }) => lookup ?? []),
  )
  const cells = rows.map((row) =>
    columns.map(([name, p]) =>
      p.columns
        ? valueText(row[name], fieldOf(name, p, false), labels)
        : cell(row[name], p, p.lookup ? labels[p.lookup] : undefined),
    ),
  )
  return [columns.map(([, p]) => p.title), ...cells]
}

/** A text is a text cell, also one that begins like a formula: Excel computes only cells that say so. */
function cell(value: unknown, property: Property, labels: Map<number, string> | undefined): unknown {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map((one) => cell(one, property, labels)).join(', ')
  if (labels) return labels.get(Number(value)) ?? String(value)
  const option = property.options?.find((o) => o.value === value)
  if (option) return option.label
  if (value instanceof Date) return value.toISOString()
  return value
}
