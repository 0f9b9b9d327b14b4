import { useMemo } from 'react'
import { FIELD_TYPES } from '../../../contract/fieldTypes.ts'
import type { Field, ListScreen } from '../../../contract/generated.ts'
import { cells } from '../../cells/cells.ts'
import type { RenderedColumn } from '../../cells/columns.ts'
import { type CallOptions, useRead } from '../../core/calls.ts'
import { type ListReply, type Row, withRowsInOrder } from '../../core/results.ts'

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
  const { cell: as, isUnsorted } = FIELD_TYPES[type]
  const property = { title: label, lookup: attrs?.lookup, options: attrs?.options }
  return {
    field: name,
    title: label,
    property,
    as,
    Cell: cells[as],
    sort: !isUnsorted,
    tagWords: [],
  }
}
