import xlsx from 'xlsx'
import type { Caller, Reply } from './context.ts'

export type Rows = unknown[][]

/** A workbook with one sheet, 'data'. */
export function workbook(
  rows: Rows,
  change: (book: xlsx.WorkBook) => void = () => undefined,
): Uint8Array<ArrayBuffer> {
  const book = xlsx.utils.book_new()
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows), 'data')
  change(book)
  return new Uint8Array(xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }))
}

/** A number that the workbook formats as a date. */
export const dateCell = (serial: number): xlsx.CellObject => ({ t: 'n', v: serial, z: 'dd/mm/yyyy' })

/** Uploads spreadsheets as a page would, only to validate them. */
export function send(
  caller: Caller,
  content: BlobPart | BlobPart[],
  { name = 'cases.xlsx', path = '/api/bulk/upload', ...fields }: Record<string, string> = {},
): Promise<Reply> {
  const body = new FormData()
  for (const [key, value] of Object.entries(fields)) body.append(key, value)
  for (const [i, one] of [content].flat().entries())
    body.append('file', new Blob([one as BlobPart]), i > 0 ? `${i}-${name}` : name)
  return caller.raw(path, { method: 'POST', body })
}

/** The template of a case type: its sheets as rows. */
export async function readTemplate(
  caller: Caller,
  address: string,
  caseType = 1,
): Promise<{ content: Buffer; data: Rows; help: Rows; lists: Rows; book: xlsx.WorkBook }> {
  const reply = await fetch(`${address}/api/bulk/template?case_type=${caseType}`, {
    headers: { authorization: `Token ${caller.key}`, accept: 'application/json' },
  })
  if (reply.status !== 200) throw new Error(await reply.text())
  const content = Buffer.from(await reply.arrayBuffer())
  const book = xlsx.read(content)
  const rows = (name: string): Rows =>
    xlsx.utils.sheet_to_json(book.Sheets[name], { header: 1, defval: null })
  return { content, data: rows('data'), help: rows('help'), lists: rows('lists'), book }
}

/** Headings that a case type requires, and a function that makes valid rows for them. */
export async function goodRows(caller: Caller, address: string, caseType = 1) {
  const { help, lists } = await readTemplate(caller, address, caseType)
  const choices = new Map(
    (lists[0] as string[]).map((heading, i) => [heading, lists.slice(1).map((row) => row[i])]),
  )
  const required = help.slice(1).filter(([, , isRequired]) => isRequired === 'Yes')
  const headings = [...required.map(([heading]) => String(heading)), 'Date of birth', 'NHS number']
  const exampleOf = ([heading, , , takes]: unknown[]) => {
    const offered = choices.get(String(heading))?.filter((one) => one !== null) ?? []
    if (offered.length > 0) return offered.includes('No') ? 'No' : offered[0]
    return String(takes).startsWith('A date') ? '15/1/2026' : 'Some words'
  }
  const examples = required.map(exampleOf)
  /** A row for a person; `more` has other values by heading. */
  const row = (first: string, last: string, more: Record<string, unknown> = {}): unknown[] => {
    const own: Record<string, unknown> = {
      'Eligible for IMCA': 'Yes',
      'First name': first,
      'Last name': last,
      'Date of birth': '1/2/1970',
      ...more,
    }
    return headings.map((heading, i) => (heading in own ? own[heading] : (examples[i] ?? null)))
  }
  return { headings, row }
}
