import { parametersOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { AssignScreen } from '../../contract/generated.ts'
import { suggest } from '../../contract/suggest.ts'
import type { Report } from '../files/report.ts'
import { checkTitle, paramsOf } from './addresses.ts'
import { checkCall } from './calls.ts'
import { checkColumns } from './cells.ts'
import { checkField, type Shape, shapeOfCall } from './fields.ts'
import { checkPlaceholders } from './placeholders.ts'

/** Reports unknown names in a screen that assigns rows to people. */
export function checkAssign(contract: Contract, screen: AssignScreen, report: Report): void {
  const { source, read, save, assignment, columns, undo, summary } = screen
  const roles = screen.roles ?? 'staff'
  const params = paramsOf(screen)
  const row = shapeOfCall(contract, source)
  const about = shapeOfCall(contract, read)
  const filling = { params }
  checkCall(contract, source, { kind: 'list', filling, roles, isPaged: true }, ['source'], report)
  checkCall(contract, read, { kind: 'read', filling, roles }, ['read'], report)
  checkCall(contract, save, { kind: 'change', filling, roles }, ['save'], report)
  checkCall(contract, undo, { kind: 'change', filling, roles }, ['undo'], report)
  if (summary?.rows.of) checkField(row, summary.rows.of.field, ['summary', 'rows', 'of', 'field'], report)
  for (const key of ['title', 'from'] as const)
    checkPlaceholders(summary?.[key], { params, records: [about] }, ['summary', key], report)
  checkCall(
    contract,
    assignment.from,
    { kind: 'list', filling, roles, isPaged: true },
    ['assignment', 'from'],
    report,
  )
  checkColumns(contract, columns, { params: [], record: row }, ['columns'], report)
  const known = Object.keys(parametersOf(contract, contract.endpoints[assignment.from]))
  // The assignee for all rows is searched for by name.
  if (!known.includes('term')) report(['assignment', 'from'], `${assignment.from} has no parameter 'term'`)
  for (const [name, field] of Object.entries(assignment.narrow ?? {})) {
    const at = ['assignment', 'narrow', name]
    if (!known.includes(name))
      report(at, `${assignment.from} has no parameter '${name}'${suggest(name, known)}`)
    else checkField(row, field, at, report)
  }
  if (assignment.except) checkField(about, assignment.except, ['assignment', 'except'], report)
  const body = contract.endpoints[save].body
  const fields = body === undefined ? undefined : contract.bodies[body]?.properties
  if (body && fields) checkAssigned({ name: body, fields }, assignment, report)
  checkTitle(contract, screen, { params, records: [about] }, report)
  checkPlaceholders(screen.done, { params, records: [shapeOfCall(contract, save)] }, ['done'], report)
}

/** The body's list and its entries must have the keys that are sent. */
function checkAssigned(body: Shape, { list, row, field }: AssignScreen['assignment'], report: Report): void {
  checkField(body, list, ['assignment', 'list'], report)
  const entry = body.fields?.[list]?.columns
  if (!entry) return
  checkField({ name: list, fields: entry }, row, ['assignment', 'row'], report)
  checkField({ name: list, fields: entry }, field, ['assignment', 'field'], report)
}
