import { useMemo } from 'react'
import type { Field, ListScreen } from '../../contract/generated.ts'
import { type CallOptions, useRead } from '../runtime/calls.ts'
import type { ListReply, Row } from './results.ts'

type Reply = ListReply & Record<string, unknown>

const NONE: Field[] = []

/** Reads what a list shows, wherever in the reply the screen says that rows and further columns stand. */
export function useListRows({ source, rowsKey, more }: ListScreen, callOptions: CallOptions) {
  const read = useRead<Reply>(source, callOptions, { keepPrevious: true })
  const { data: reply } = read
  const data = useMemo(
    () => (rowsKey && reply ? asOnePage((reply[rowsKey] ?? []) as Row[]) : reply),
    [reply, rowsKey],
  )
  const fields = (more && (reply?.[more] as Field[] | undefined)) || NONE
  return { ...read, data: data as ListReply | undefined, fields }
}

/** Rows that came all at once, as one page. */
function asOnePage(data: Row[]): ListReply {
  const { length } = data
  return { data, pagination: { p: 1, page_size: length, count: length, num_pages: 1 } }
}
