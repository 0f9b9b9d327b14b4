import type { Field, FieldType } from '../../contract/generated.ts'
import type { RenderedColumn } from '../cells/columns.ts'
import { type CellName, cells } from '../registry.ts'

const CELLS: Partial<Record<FieldType, CellName>> = {
  date: 'date',
  datetime: 'datetime',
  duration: 'hours',
  integer: 'number',
  yesno: 'yesno',
  select: 'lookup',
  multiselect: 'lookup',
}
/** Lists and long texts have no order that a reader would expect. */
const UNSORTED: FieldType[] = ['multiselect', 'textarea', 'repeat', 'contact', 'file']

/** The columns with those that the reply adds, as fields, after the first; the same array where there are none. */
export function withExtraColumns(columns: RenderedColumn[], fields: Field[]): RenderedColumn[] {
  const [first, ...others] = columns
  return fields.length === 0 ? columns : [first, ...fields.map(columnOf), ...others]
}

function columnOf({ name, label, type, attrs }: Field): RenderedColumn {
  const as = CELLS[type] ?? 'text'
  const property = { title: label, lookup: attrs?.lookup, options: attrs?.options }
  return { field: name, title: label, property, as, Cell: cells[as], sort: !UNSORTED.includes(type) }
}
