import { useMemo } from 'react'
import type { Field, FieldType, ListScreen } from '../../../contract/generated.ts'
import { type CellName, cells } from '../../cells/cells.ts'
import type { RenderedColumn } from '../../cells/columns.ts'
import { type CallOptions, useRead } from '../../core/calls.ts'
import { type ListReply, type Row, withRowsInOrder } from '../../core/results.ts'

const CELLS: Partial<Record<FieldType, CellName>> = {
  date: 'date',
  datetime: 'datetime',
  duration: 'hours',
  integer: 'number',
  yesno: 'yesno',
  select: 'lookup',
  multiselect: 'lookup',
}
/** Types that cannot be sorted: lists and long texts have no order that a reader would expect. */
const UNSORTED: FieldType[] = ['multiselect', 'textarea', 'repeat', 'contact', 'file', 'signature']

type Reply = ListReply & Record<string, unknown>

const NONE: Field[] = []

/** Reads a list's rows and further columns, at the screen's keys of the reply; idle for a search without filters. */
export function useListRows(
  { source, rowsKey, more, choose }: ListScreen,
  callOptions: CallOptions,
  isIdle: boolean,
) {
  // In a report with other columns, the previous rows would have another meaning.
  const keepPrevious = !isIdle && choose !== false
  const read = useRead<Reply>(isIdle ? undefined : source, callOptions, { keepPrevious })
  const { data: reply } = read
  const data = useMemo(
    () => reply && (rowsKey ? asOnePage((reply[rowsKey] ?? []) as Row[]) : withRowsInOrder(reply)),
    [reply, rowsKey],
  )
  const fields = (more && (reply?.[more] as Field[] | undefined)) || NONE
  return { ...read, data: data as ListReply | undefined, fields }
}

/** All rows as one page. */
function asOnePage(data: Row[]): ListReply {
  const { length } = data
  return { data, pagination: { p: 1, page_size: length, count: length, num_pages: 1 } }
}

/** The columns, with the reply's further fields after the first one; the same array if there are none. */
export function withExtraColumns(columns: RenderedColumn[], fields: Field[]): RenderedColumn[] {
  const [first, ...others] = columns
  return fields.length === 0 ? columns : [first, ...fields.map(columnOf), ...others]
}

function columnOf({ name, label, type, attrs }: Field): RenderedColumn {
  const as = CELLS[type] ?? 'text'
  const property = { title: label, lookup: attrs?.lookup, options: attrs?.options }
  return {
    field: name,
    title: label,
    property,
    as,
    Cell: cells[as],
    sort: !UNSORTED.includes(type),
    tagWords: [],
  }
}
