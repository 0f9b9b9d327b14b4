/** Where the rows of a reply stand; `more` means that there are more than `count`. */
interface Pagination {
  p: number
  page_size: number
  count: number
  more?: boolean
  num_pages: number
}
/** A row of a list, by field. */
export type Row = Record<string, unknown>
/** What a listing call replies. */
export interface ListReply {
  data: Row[]
  pagination: Pagination
  /** Of a report: sums over all its rows, by field. */
  totals?: Row
  /** How many rows each group has, by the value that it shares, also those of other pages. */
  groups?: Record<string, number>
  /** How many rows each quick filter leaves. */
  chips?: Record<string, number>
  /** Of a report: the days it shows, both included; also where nobody chose them. */
  period?: { start: string; end: string }
  /** As of when it is (ISO), where that may be a moment ago. */
  as_at?: string
}

/** The same reply with its rows as a list, where they come keyed by id; `order` then says how they are sorted. */
export function withRowsInOrder<Reply extends ListReply>(reply: Reply): Reply {
  const { data, order } = reply as unknown as { data: Record<string, Row>; order?: number[] }
  if (Array.isArray(data) || !order) return reply
  return { ...reply, data: order.map((id) => data[id]) }
}

/** 'Showing 11 to 20 of 57', of '10,000+' where nobody counted on. */
export function resultsText({ p, page_size, count, more }: Pagination, rows: number): string {
  if (rows === 0) return 'No results'
  const first = (p - 1) * page_size + 1
  const of = `${number(count)}${more ? '+' : ''}`
  return `Showing ${number(first)} to ${number(first + rows - 1)} of ${of}`
}

function number(n: number): string {
  return n.toLocaleString('en-GB')
}

/** Neighbours with the same value of a field. */
export function groupNeighbours(rows: Row[], field: string): Row[][] {
  const found: Row[][] = []
  for (const row of rows) {
    const last = found.at(-1)
    if (last && last[0][field] === row[field]) last.push(row)
    else found.push([row])
  }
  return found
}
