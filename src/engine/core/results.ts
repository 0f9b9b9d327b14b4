import type { Counted } from '../../contract/generated.ts'

/** Pagination of a reply; `more` means that there are more rows than `count`. */
interface Pagination {
  p: number
  page_size: number
  count: number
  more?: boolean
  num_pages: number
}
/** A row of a list, by field. */
export type Row = Record<string, unknown>
export interface ListReply {
  data: Row[]
  pagination: Pagination
  /** Of a report: sums over all its rows, by field. */
  totals?: Row
  /** Number of rows of each group, by the value that they share, including those on other pages. */
  groups?: Record<string, number>
  /** Number of rows that match each quick filter. */
  chips?: Record<string, number>
  /** Of a report: its first and last day, even if they are defaults. */
  period?: { start: string; end: string }
  /** Time of the data (ISO), if it may be outdated. */
  as_at?: string
}

/** The same reply with its rows as an array, even if they are keyed by id and sorted by `order`. */
export function withRowsInOrder<Reply extends ListReply>(reply: Reply): Reply {
  const { data, order } = reply as unknown as { data: Record<string, Row>; order?: number[] }
  if (Array.isArray(data) || !order) return reply
  return { ...reply, data: order.map((id) => data[id]) }
}

/** The screen's word for its rows, singular or plural by the count; undefined if it has none. */
export function rowsWord(counted: Counted | undefined, count: number): string | undefined {
  return count === 1 ? counted?.row : counted?.rows
}

/** '14 clients', or '14' if the screen does not say what a row is. */
export function countInWords(count: number, counted?: Counted): string {
  return [count, rowsWord(counted, count)].filter((part) => part !== undefined).join(' ')
}

/** 'Showing 11 to 20 of 57 rows', or 'of 10,000+' if the server stopped counting. */
export function resultsText(
  { p, page_size, count, more }: Pagination,
  rows: number,
  counted?: Counted,
): string {
  if (rows === 0) return 'No results'
  const first = (p - 1) * page_size + 1
  const of = rowsWord(counted, count)
  const all = `${number(count)}${more ? '+' : ''}${of ? ` ${of}` : ''}`
  return `Showing ${number(first)} to ${number(first + rows - 1)} of ${all}`
}

function number(n: number): string {
  return n.toLocaleString('en-GB')
}

/** Groups adjacent rows with the same value of a field. */
export function groupNeighbours(rows: Row[], field: string): Row[][] {
  const found: Row[][] = []
  for (const row of rows) {
    const last = found.at(-1)
    if (last && last[0][field] === row[field]) last.push(row)
    else found.push([row])
  }
  return found
}
