import type { Contract } from '../../contract/contract.ts'
import type { Column } from '../../contract/generated.ts'
import { kindOfValue } from '../../contract/valueProblem.ts'
import type { Path, Report } from '../files/report.ts'
import { type About, checkAction } from './actions.ts'
import { checkLink } from './addresses.ts'
import { checkField, propertyAt, type Shape } from './fields.ts'
import { ANYTHING, checkWhen } from './paths.ts'

/**
 * Reports columns, or facts, whose field, link, tags, condition or action names something that the row does not have.
 * `fields` are those of a row that has more at run time, `linkParams` what links can name besides the row.
 */
export function checkColumns(
  contract: Contract,
  columns: (string | Column)[],
  about: About,
  at: Path,
  report: Report,
  { fields = about.record, linkParams = about.params }: { fields?: Shape; linkParams?: string[] } = {},
): void {
  const filling = { params: linkParams, records: [about.record] }
  for (const [i, column] of columns.entries()) {
    const path = [...at, i]
    if (typeof column === 'string') {
      checkField(fields, column, path, report)
      continue
    }
    const { field, record, link, totalLink } = column
    checkField(fields, field, [...path, 'field'], report)
    for (const [part, name] of Object.entries(record ?? {})) {
      const at = [...path, 'record', part]
      checkField(fields, name, at, report)
      const property = fields && propertyAt(fields, [name])
      const kind = part === 'id' ? 'number' : 'text'
      if (property && kindOfValue(property) !== kind)
        report(at, `the ${part} of a record is a ${kind}, and '${name}' is not one`)
    }
    checkLink(contract, link, filling, [...path, 'link'], report)
    checkLink(contract, totalLink, { params: linkParams }, [...path, 'totalLink'], report)
    checkCell(contract, column, about, path, report)
  }
}

function checkCell(contract: Contract, column: Column, about: About, at: Path, report: Report): void {
  const { tags = [], marks, otherwise, blank, flag } = column
  const reach = { record: about.record ?? ANYTHING }
  for (const [n, { field }] of tags.entries())
    checkField(about.record, field, [...at, 'tags', n, 'field'], report)
  if (marks) checkField(about.record, marks, [...at, 'marks'], report)
  if (otherwise) checkField(about.record, otherwise.field, [...at, 'otherwise', 'field'], report)
  checkWhen(blank?.when, reach, [...at, 'blank', 'when'], report)
  checkWhen(flag?.when, reach, [...at, 'flag', 'when'], report)
  for (const key of ['tick', 'empty'] as const)
    if (column[key]) checkAction(contract, column[key], about, [...at, key], report)
}
