import { setTimeout as sleep } from 'node:timers/promises'
import xlsx from 'xlsx'
import { ask } from '../calls/ask.mjs'

const LOOK = 200

/** A way to upload spreadsheets of cases of the first case type as somebody signed in. */
export function uploader(address, headers) {
  const { 'content-type': _, ...others } = headers
  const get = (path) => ask(address, headers, { method: 'GET', path })
  /** Uploads rows to be checked; answers the upload's id. */
  const upload = async (rows) => {
    const book = xlsx.utils.book_new()
    xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows), 'data')
    const body = new FormData()
    body.append('case_type', '1')
    body.append('check', 'true')
    body.append('file', new Blob([xlsx.write(book, { type: 'buffer', compression: true })]), 'cases.xlsx')
    const reply = await fetch(`${address}/api/bulk/upload`, { method: 'POST', headers: others, body })
    if (!reply.ok) throw new Error(`the upload is answered ${reply.status}: ${await reply.text()}`)
    return (await reply.json()).data[0].id
  }
  const answer = (id, columns) =>
    ask(address, headers, { method: 'PATCH', path: `/api/bulk/${id}`, body: { columns } })
  /** The upload once it is in one of the states. */
  const until = async (id, ...states) => {
    for (;;) {
      const one = await get(`/api/bulk/${id}`)
      if (states.includes(one.state)) return one
      if (one.state === 'failed') throw new Error(`the upload failed: ${one.problem}`)
      // The only question about such a file is whether rows that were uploaded before are checked again.
      if (one.state === 'mapping') await answer(id, { before: 'check' })
      await sleep(LOOK)
    }
  }
  const start = (id, what) =>
    ask(address, headers, { method: 'POST', path: `/api/bulk/${id}/${what}`, body: {} })
  const errors = async (id) => (await get(`/api/bulk/${id}/errors?page_size=100`)).data
  const template = async () => {
    const reply = await fetch(`${address}/api/bulk/template?case_type=1`, { headers: others })
    const { Sheets } = xlsx.read(Buffer.from(await reply.arrayBuffer()))
    const rowsOf = (name) => xlsx.utils.sheet_to_json(Sheets[name], { header: 1, defval: null })
    return { help: rowsOf('help').slice(1), lists: rowsOf('lists') }
  }
  return { upload, until, start, errors, template }
}

/**
 * Headings of so many columns, and a maker of rows for them: what the case type requires, then whatever else takes a value
 * without being refused.
 */
export async function sheetOf({ upload, until, errors, template }, columns) {
  const { help, lists } = await template()
  const choicesOf = (heading) => {
    const column = lists[0].indexOf(heading)
    return lists.slice(1).flatMap((row) => row[column] ?? [])
  }
  const examples = new Map(
    help.map(([heading, , , takes]) => {
      const [first] = choicesOf(heading)
      if (choicesOf(heading).includes('No')) return [heading, 'No']
      if (first !== undefined) return [heading, first]
      if (/^A date and time/.test(takes)) return [heading, '15/1/2026 10:30']
      if (/^A date/.test(takes)) return [heading, '15/1/2026']
      if (/^Hours/.test(takes)) return [heading, '01:30']
      return [heading, /^A whole number/.test(takes) ? 3 : 'Some words about it']
    }),
  )
  const ordered = [...help]
    .sort(([, , one], [, , other]) => Number(other === 'Yes') - Number(one === 'Yes'))
    .map(([heading]) => heading)
  const own = {
    'First name': 'Ada',
    'Last name': 'Bench',
    'Date of birth': '1/2/1970',
    'Eligible for IMCA': 'Yes',
  }
  const refused = new Set()
  for (;;) {
    const headings = ordered.filter((heading) => !refused.has(heading)).slice(0, columns)
    const row = (i, more = {}) =>
      headings.map(
        (heading) => ({ ...own, 'First name': `Ada${i}`, ...more })[heading] ?? examples.get(heading),
      )
    const id = await upload([headings, row(0)])
    await until(id, 'ready')
    const wrong = await errors(id)
    if (wrong.length === 0) return { headings, row }
    const columnsWrong = wrong.flatMap(({ column }) => column ?? [])
    // A field without a column may be wrong because what it begins as is.
    if (columnsWrong.length === 0) throw new Error(`a row is refused: ${wrong[0].message}`)
    for (const column of columnsWrong) refused.add(headings[xlsx.utils.decode_col(column)])
  }
}
