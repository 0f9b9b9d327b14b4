import { FIELD_TYPES, holdsRows, isQuestion, takesSeveralChoices } from '../fieldTypes.ts'
import type { Field } from '../generated.ts'
import { quoted } from '../quoted.ts'
import type { Report } from './metaTypes.ts'
import type { Reach } from './places.ts'

/** Checks by which column the rows of a field are sorted, and which answer says how many there are. */
export function checkRows(field: Field, reach: Reach, report: Report): void {
  const { label, name, fields = [], attrs = {} } = field
  const { row_label, sort_by, sort_down, rows_from } = attrs
  const quotedLabel = quoted(label, name)
  if (!holdsRows(field)) {
    for (const key of ['row_label', 'sort_by', 'sort_down', 'rows_from'] as const)
      if (attrs[key] !== undefined)
        report(['attrs', key], `${quotedLabel} has no rows; remove the settings of its rows`)
    return
  }
  if (row_label !== undefined && row_label.trim() === '')
    report(['attrs', 'row_label'], `Name the rows of ${quotedLabel}, or remove that setting`)
  const column = fields.find((one) => one.name === sort_by)
  if (sort_by !== undefined && !column)
    report(
      ['attrs', 'sort_by'],
      `The rows of ${quotedLabel} are sorted by '${sort_by}', which is not one of its columns; choose another`,
    )
  else if (column && (!isQuestion(column) || isUnordered(column)))
    report(
      ['attrs', 'sort_by'],
      `The rows of ${quotedLabel} cannot be sorted by ${quoted(column.label, column.name)}, which has no order; choose another column`,
    )
  if (sort_down && sort_by === undefined)
    report(['attrs', 'sort_down'], `Choose the column by which the rows of ${quotedLabel} are sorted`)
  if (rows_from !== undefined) checkCount(field, rows_from, reach, report)
}

function isUnordered(column: Field): boolean {
  const { isUnsorted } = FIELD_TYPES[column.type]
  return isUnsorted === true || takesSeveralChoices(column) || column.attrs?.lookup !== undefined
}

function checkCount(field: Field, from: string, reach: Reach, report: Report) {
  const source = reach.get(from)
  const label = quoted(field.label, field.name)
  const path = ['attrs', 'rows_from']
  if (!source)
    report(
      path,
      `The number of rows of ${label} comes from '${from}', but there is no such field; choose another`,
    )
  else if (!FIELD_TYPES[source.type].isWhole || !FIELD_TYPES[source.type].isPlainNumber)
    report(
      path,
      `The number of rows of ${label} must come from a whole number, which ${quoted(source.label, from)} is not; choose another field`,
    )
  else if (field.attrs?.read_only)
    report(path, `${label} is only shown, so nobody can add its rows; remove that`)
}
