import { entityOfCall } from '../../../contract/call.ts'
import { fieldOf } from '../../../contract/entity.ts'
import type { Entity, Field, Property } from '../../../contract/generated.ts'
import { deathOf, statusLabels } from '../../../contract/lifespan.ts'
import { STEP_UP_ROWS } from '../../../contract/limits.ts'
import { suggest } from '../../../contract/suggest.ts'
import type { Values } from '../../../contract/when.ts'
import { refuseStale } from '../../access/stepUp.ts'
import type { Call } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import { type Period, today } from '../../core/today.ts'
import { writeAuditEvent } from '../audit/audit.ts'
import { lookupLabels } from '../audit/lookupLabels.ts'
import { rawQuery, requestedIds } from '../query/query.ts'
import { unknownKeyErrors } from '../validate/unknownKeys.ts'
import { describeRequest, periodInName } from './describeRequest.ts'
import { type ExportCell, exportCell } from './exportCell.ts'
import { workbookReply } from './workbookReply.ts'
import { writeSheet } from './writeSheet.ts'

type Column = [name: string, property: Property]

/** Internal columns, which an export only has if they are requested. */
const INTERNAL_COLUMNS = new Set(['created_by', 'version'])

/** True if a list was requested as an Excel file. */
export function isExportRequested(query: Values): boolean {
  return query.format === 'xlsx'
}

/** Refuses a file of more than 500 rows without a recent proof of who the person is, where STEP_UP=1. */
export async function refuseStaleExport(call: Call, rows: number): Promise<void> {
  if (call.settings.STEP_UP !== 1 || rows <= STEP_UP_ROWS) return
  await refuseStale({ ...call, db: call.standby?.primary ?? call.db })
}

/** Sends a list as an Excel file with one sheet, 'data', with the totals of a report below; audits the export. */
export async function sendSheet(call: Call, result: unknown) {
  const replyEntity = (result as { entity?: Entity }).entity
  const entity = replyEntity ?? call.contract.entities[entityOfCall(call.contract, call.name) ?? '']
  const { data: rows, totals, period } = result as { data?: unknown; totals?: Row; period?: Period }
  if (!entity || rows === undefined)
    throw problem('badRequest', { message: 'This call has no list to export' })
  const list = requestedRows(call, Array.isArray(rows) ? rows : Object.values(rows as object))
  await refuseStaleExport(call, list.length)
  const columns = requestedColumns(call, entity)
  await writeAuditEvent(call, {
    action: 'export',
    entity: entity.$id,
    record: null,
    changes: { rows: { from: null, to: list.length } },
  })
  const headings = columns.map(([, p]) => p.title)
  const toCells = await cellsOf(call, columns, list)
  // Totals are of all rows, so omit them if only some were requested.
  const isWhole = requestedIds(call) === undefined
  const all = isWhole && totals && columns.some(([, p]) => p.total) ? [...list, totals] : list
  const title = titleOf(call, entity, replyEntity)
  const author = `${call.me.first_name} ${call.me.last_name}`.trim()
  const content = await writeSheet(
    headings,
    all,
    (row) => (row === totals ? totalCells(columns, row) : toCells(row)),
    {
      Title: title,
      Subject: await describeRequest(call, period),
      Author: author,
      CreatedDate: new Date(),
    },
  )
  // The name has no filters, because they may name a client.
  const name = [
    inFileName(title) || 'list',
    ...periodInName(call, period),
    `by-${inFileName(author) || call.me.id}`,
    `on-${today(call.settings.TIME_ZONE)}`,
  ].join('-')
  return call.reply.send(workbookReply(call, name, content))
}

/** The last row of a report, with its totals as in its table on the page. */
function totalCells(columns: Column[], totals: Row): ExportCell[] {
  const fields = fieldsOf(columns)
  // Totals are numbers, which need neither labels nor a time zone.
  const context = { labels: {}, timeZone: 'UTC' }
  return columns.map(([name, { total }], i) =>
    total ? exportCell(totals[name], fields[i], context) : i === 0 ? 'Total' : '',
  )
}

/** The rows with the requested ids; all if none are requested. */
function requestedRows(call: Call, rows: Row[]): Row[] {
  const ids = requestedIds(call)
  return ids ? rows.filter(({ id }) => ids.includes(Number(id))) : rows
}

/** The title of a list: its own, else that of its page without placeholders, else that of its entity. */
function titleOf({ contract, name }: Call, { title }: Entity, replyEntity: Entity | undefined): string {
  const page = Object.values(contract.screens).find((one) => one.kind === 'list' && one.source === name)
  return replyEntity?.title ?? page?.title.replaceAll(/\{[^}]*\}/g, '').trim() ?? title
}

/** A text as part of a name for all file systems: lower-case ASCII letters, digits and dashes; '' if it has none. */
function inFileName(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.match(/[a-z0-9]+/g)?.join('-') ?? ''
}

/** The columns of `columns=a,b` in that order; by default all except internal ones. */
function requestedColumns(call: Call, entity: Entity): Column[] {
  // Never export answers and drafts as a whole: nobody could tell which of them are sensitive.
  const all = Object.entries(entity.properties).filter(([, { type }]) => type !== 'object')
  const requested = String(rawQuery(call.request).columns ?? '')
    .split(',')
    .filter((name) => name !== '')
  if (requested.length === 0) return all.filter(([name]) => !INTERNAL_COLUMNS.has(name))
  const properties = Object.fromEntries(all)
  const known = Object.keys(properties)
  const unknown = requested.filter((name) => !known.includes(name))
  const words = (name: string) => `no field '${name}' in ${entity.title}${suggest(name, known)}`
  if (unknown.length > 0)
    throw fieldProblem({ columns: Object.values(unknownKeyErrors(unknown, words)).flat() })
  // A date of birth alone would say that somebody is still alive.
  const withDeaths = requested.flatMap((name) => [
    name,
    (properties[name].format === 'date' && properties[name].diedOn) || name,
  ])
  return [...new Set(withDeaths)].map((name) => [name, properties[name]])
}

/** Reads the labels that the rows need, and returns the function that makes the cells of a row. */
async function cellsOf(call: Call, columns: Column[], rows: Row[]): Promise<(row: Row) => ExportCell[]> {
  const fields = fieldsOf(columns)
  const naming = fields.filter(({ attrs, fields: inner }) => attrs?.lookup || inner)
  const labels = await lookupLabels(
    call,
    rows.flatMap((row) => naming.map((field): [Field, unknown] => [field, row[field.name]])),
  )
  const context = { labels, timeZone: call.settings.TIME_ZONE }
  return (row) =>
    columns.map(([name, property], i) => {
      const cell = exportCell(row[name], fields[i], context)
      return property.options && deathOf(property, row)
        ? statusLabels(property, [String(cell)], row).join(', ')
        : cell
    })
}

function fieldsOf(columns: Column[]): Field[] {
  return columns.map(([name, property]) => fieldOf(name, property, false))
}
