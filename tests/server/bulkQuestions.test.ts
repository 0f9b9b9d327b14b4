import iconv from 'iconv-lite'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import xlsx from 'xlsx'
import { dateCell, goodRows, type Rows, readTemplate, send, workbook } from './bulkFiles.ts'
import { bulkUploads, type GoodRows, type Upload } from './bulkUploads.ts'
import { type Caller, describeServer } from './context.ts'

const context = describeServer()
let hub: Caller
let good: GoodRows
const { settled, check, apply, errorsOf, rowsOf, read } = bulkUploads(() => ({ context, hub, good }))
beforeAll(async () => {
  hub = await context.as('hub')
  good = await goodRows(hub, context.address)
})

interface Question {
  name: string
  label: string
  attrs: { options: { value: string; label: string }[]; when?: Record<string, string[]> }
}

/** The questions of an upload that its columns ask for. */
async function questionsOf(id: number): Promise<Question[]> {
  const { body } = await hub('bulk.columns', { params: { id } })
  const isAsked = ({ attrs }: Question) =>
    Object.entries(attrs.when ?? {}).every(([column, paths]) => paths.includes(body.columns[column]))
  const isQuestion = ({ name }: Question) => !/^(c\d+|case_type|unknown_columns)$/.test(name)
  return body.fields.filter((one: Question) => isQuestion(one) && isAsked(one))
}
async function answer(id: number, answers: Record<string, string>): Promise<Upload> {
  const { status, body } = await hub('bulk.change', { params: { id }, body: { columns: answers } })
  expect([status, body.code]).toEqual([200, undefined])
  return settled(id)
}
/** Uploads rows with a heading and cell of their own, and answers the only question. */
async function asked(heading: string, cells: unknown[], name = cells.join()) {
  const own = good.headings.includes(heading) ? good.headings : [...good.headings, heading]
  const rows = cells.map((cell, i) => {
    const row = good.row(`${'ABCDEFG'[i]}nn`, name.replaceAll(/[^A-Za-z]/g, '') || 'Numbered')
    row[own.indexOf(heading)] = cell
    return row
  })
  const upload = await check(rows, own)
  return { upload, questions: await questionsOf(upload.id) }
}
const csv = (rows: Rows) => rows.map((row) => row.map((cell) => `"${cell ?? ''}"`).join(',')).join('\r\n')
const sendCsv = async (rows: Rows, encoding: string, mark = ''): Promise<Upload> => {
  const content = new Uint8Array(iconv.encode(mark + csv(rows), encoding))
  const { body } = await send(hub, content, { name: 'cases.csv', case_type: '1', check: 'true' })
  return settled(body.data[0].id)
}
const clientOf = async (upload: Upload, i = 0) => {
  const rows = await rowsOf(upload.id)
  return (await hub('clients.read', { params: { id: rows[i].client } })).body
}

describe('an uploaded text', () => {
  it('of Excel keeps its apostrophes, so that the person is found', async () => {
    const upload = await sendCsv([good.headings, good.row('Pat', 'O’Brien')], 'windows-1252')
    expect(upload.ready).toBe(1)
    await apply(upload.id)
    expect((await clientOf(upload)).last_name).toBe('O’Brien')
    const { body } = await hub.raw('/api/clients/list?term=o%27brien')
    expect(body.data.map((one: Upload) => one.last_name ?? one.name)).toHaveLength(1)
  })

  it('in UTF-16 is read', async () => {
    const upload = await sendCsv([good.headings, good.row('Zoë', 'Wide')], 'utf-16le', '\uFEFF')
    expect([upload.state, upload.ready]).toEqual(['ready', 1])
  })

  it('in an unclear encoding is read again as the person says', async () => {
    const upload = await sendCsv([good.headings, good.row('Ana', 'García')], 'macintosh')
    expect(upload.state).toBe('mapping')
    const [question] = await questionsOf(upload.id)
    expect(question.attrs.options.map(({ label }) => label)).toEqual([
      'Garc’a (Windows)',
      'García (an old Mac)',
    ])
    const ready = await answer(upload.id, { encoding: 'macintosh' })
    expect([ready.state, (await rowsOf(upload.id))[0].person]).toEqual(['ready', 'Ana García'])
  })

  it('with a control character or a lost letter is wrong there, and nothing of it is stored', async () => {
    const upload = await check([
      good.row('Bob', 'O\u0092Brien'),
      good.row('Cy', 'O\uFFFDBrien'),
      good.row('Di', 'Fine'),
    ])
    const messages = (await errorsOf(upload.id)).map((error) => (error as string[])[3])
    expect(messages).toEqual([
      'Last name holds a control character: type it again',
      'Last name holds �, which stands for a letter that was lost when the file was saved: type it again',
    ])
    expect(upload.ready).toBe(1)
  })
})

describe('a number in a cell', () => {
  it.each([
    ['Telephone', 7700900123, 'zero_', 'add', 'phone', '07700900123'],
    ['Telephone', '1632 960001', 'zero_', 'add', 'phone', '01632 960001'],
    ['Telephone', 7700900124, 'zero_', 'keep', 'phone', '7700900124'],
    ['Date of birth', 1950, 'year_', 'empty', 'dob', null],
    ['Date of birth', 1951, 'year_', 'serial', 'dob', '1905-05-04'],
    ['Date of birth', dateCell(1952), 'year_', 'empty', 'dob', null],
    ['Date of birth', 18417, 'serial_', 'serial', 'dob', '1950-06-03'],
    ['Date of birth', 18418, 'serial_', 'serial1904', 'dob', '1954-06-05'],
    ['Date of birth', '06/13/1950', 'month_first_', 'month', 'dob', '1950-06-13'],
  ])(
    'of %s that is %j asks a question, and then is what the person answers: %s %s',
    async (heading, cell, kind, value, field, expected) => {
      // Letters without a separator: nobody is like anybody else.
      const name = [...`${field}${kind}${value}${JSON.stringify(cell)}`]
        .map((one) => String.fromCodePoint(97 + (one.codePointAt(0)! % 26)))
        .join('')
      const { upload, questions } = await asked(heading, [cell], name)
      expect([upload.state, questions.map(({ name }) => name.replace(/\d+$/, ''))]).toEqual([
        'mapping',
        [kind],
      ])
      // The hub's answers are kept, so that the next file does not ask again.
      const ready = await answer(upload.id, { [questions[0].name]: value })
      expect([ready.state, ready.ready, await errorsOf(upload.id)]).toEqual(['ready', 1, []])
      await apply(upload.id)
      expect((await clientOf(upload))[field]).toBe(expected)
      await sql`update bulk_uploads set answers = '{}'`.execute(context.db)
    },
  )

  it('is wrong where the person says so, in words that name it', async () => {
    const { upload, questions } = await asked('Date of birth', [1950, 1951], 'Wronged')
    const checked = await answer(upload.id, { [questions[0].name]: 'wrong' })
    expect(checked.wrong).toBe(2)
    expect((await errorsOf(upload.id)).map((error) => (error as string[]).slice(2))).toEqual([
      ['1950', 'Date of birth is a year, not a date'],
      ['1951', 'Date of birth is a year, not a date'],
    ])
    await sql`update bulk_uploads set answers = '{}'`.execute(context.db)
  })

  it('asks one question for all cells of a column, and says how many and where', async () => {
    const { questions } = await asked('Telephone', [7700900125, '07700 900126', 7700900127], 'Counted')
    expect(questions.map(({ label }) => label)).toEqual([
      '2 cells of Telephone without 0 at the beginning, such as 7700900125. Put it back?',
    ])
  })

  it('does not ask again in the hub that has answered', async () => {
    const { upload, questions } = await asked('Telephone', [7700900128], 'Asked')
    await answer(upload.id, { [questions[0].name]: 'add' })
    const next = await asked('Telephone', [7700900129], 'Remembered')
    expect([next.upload.state, next.upload.ready]).toEqual(['ready', 1])
    await sql`update bulk_uploads set answers = '{}'`.execute(context.db)
  })

  it.each([
    [
      'NHS number',
      '9.43477E+09',
      'NHS number was shortened when the file was saved: show all its digits, and save it again',
    ],
    [
      'Telephone',
      1234567890123456,
      'Telephone has more digits than Excel keeps in a number: type it again as text',
    ],
  ])('of %s that has lost digits is wrong: %j', async (heading, cell, message) => {
    const { upload } = await asked(heading, [cell], `Lost${heading}`)
    expect((await errorsOf(upload.id)).map((error) => (error as string[])[3])).toEqual([message])
  })

  it('refuses an answer that is not offered', async () => {
    const { upload, questions } = await asked('Telephone', [7700900130], 'Refused')
    const { status, body } = await hub('bulk.change', {
      params: { id: upload.id },
      body: { columns: { [questions[0].name]: 'guess' } },
    })
    expect([status, body]).toEqual([400, { [`columns.${questions[0].name}`]: ['Choose one of the answers'] }])
  })
})

it('keeps the 0 of a telephone in a template, whose columns have formats', async () => {
  const { content, data } = await readTemplate(hub, context.address)
  const zip = xlsx.CFB.read(content, { type: 'buffer' })
  const text = (path: string) => Buffer.from(xlsx.CFB.find(zip, path)!.content as Uint8Array).toString()
  const styles = [
    ...text('/xl/styles.xml')
      .split('<cellXfs')[1]
      .matchAll(/<xf numFmtId="(\d+)"/g),
  ].map(([, id]) => id)
  const formatOf = (heading: string) => {
    const number = data[0].indexOf(heading) + 1
    const [, style] = text('/xl/worksheets/sheet1.xml').match(`<col min="${number}" style="(\\d+)"`) ?? []
    return styles[Number(style)]
  }
  // 49 is Excel's format of texts; the workbook's own ones have larger numbers.
  expect([formatOf('Telephone'), formatOf('NHS number')]).toEqual(['49', '49'])
  expect(Number(formatOf('Date of birth'))).toBeGreaterThan(49)
})

it('takes a number for a date in a file that an earlier release has read', async () => {
  const upload = await check([good.row('Olga', 'Earlier')])
  const column = good.headings.indexOf('Date of birth')
  await sql`update bulk_rows set cells = jsonb_set(cells, array[${String(column)}], '18417') where upload = ${upload.id}`.execute(
    context.db,
  )
  await sql`update bulk_uploads set findings = null where id = ${upload.id}`.execute(context.db)
  await apply(upload.id)
  expect((await clientOf(upload)).dob).toBe('1950-06-03')
})

describe('a written date', () => {
  it.each([
    ['04/06/1950 00:00:00', '1950-06-04', 'Midnight'],
    ['1950-06-03T23:00:00.000Z', '1950-06-04', 'Instant'],
    ['1950-06-04 00:00', '1950-06-04', 'Spaced'],
    ['4 June 1950', '1950-06-04', 'Written'],
  ])('%s is the day in the time zone of the service', async (cell, dob, name) => {
    const { upload } = await asked('Date of birth', [cell], name)
    await apply(upload.id)
    expect((await clientOf(upload)).dob).toBe(dob)
  })
})

describe('rows that nobody sees in the file', () => {
  it.each([
    ['leave_out', 1, 1],
    ['check', 2, 0],
  ])('ask a question: %s', async (value, ready, left_out) => {
    const book = workbook(
      [good.headings, good.row('Vis', `Seen${value}`), good.row('Hid', `Den${value}`)],
      ({ Sheets }) => {
        Sheets.data['!rows'] = [{}, {}, { hidden: true }]
      },
    )
    const { body } = await send(hub, book, { case_type: '1', check: 'true' })
    const upload = await settled(body.data[0].id)
    const [question] = await questionsOf(upload.id)
    expect([upload.state, question.label]).toEqual([
      'mapping',
      'Row 3 is hidden or filtered out in the file. Check it too?',
    ])
    expect(await answer(upload.id, { hidden: value })).toMatchObject({ state: 'ready', ready, left_out })
  })
})

describe('a file that was uploaded before', () => {
  const rows = () => ['Ada', 'Bo', 'Cleo'].map((name) => good.row(name, 'Again'))

  it('says so before anything is checked, and leaves out what is there', async () => {
    const first = await check(rows())
    await apply(first.id)
    const same = await check(rows())
    expect([same.state, (await questionsOf(same.id))[0].label]).toEqual([
      'mapping',
      expect.stringMatching(/^This file was uploaded before, by .* on \d{1,2} \w+ \d{4}\. Check it again\?$/),
    ])
    const most = await check([...rows(), good.row('Dee', 'Fresh')])
    expect((await questionsOf(most.id))[0].label).toMatch(/^3 rows of 4 were uploaded before, by /)
    expect(await answer(most.id, { before: 'leave_out' })).toMatchObject({
      state: 'ready',
      ready: 1,
      left_out: 3,
    })
    expect(await answer(same.id, { before: 'check' })).toMatchObject({ state: 'ready', duplicate: 3 })
  })

  it('is not reported as one that another hub has uploaded', async () => {
    const upload = await check([good.row('Hal', 'Elsewhere'), good.row('Ida', 'Elsewhere')])
    await sql`update bulk_uploads set hub = 2, created_by = (select id from staff where username = 'admin') where id = ${upload.id}`.execute(
      context.db,
    )
    expect((await check([good.row('Hal', 'Elsewhere'), good.row('Ida', 'Elsewhere')])).state).toBe('ready')
  })
})

describe('a person in two rows', () => {
  it('may have two pieces of work, which become two cases of one client', async () => {
    const upload = await check([
      good.row('Tom', 'Twice', { 'NHS number': '943 476 5919' }),
      good.row('Tim', 'Twice', { 'NHS number': '9434765919' }),
      good.row('tom', 'twice'),
    ])
    expect([upload.ready, upload.duplicate]).toEqual([1, 2])
    const { body } = await hub('bulk.duplicates', { params: { id: upload.id } })
    expect(body.data).toMatchObject([
      { row: 3, person: 'Tim Twice', client_name: 'Row 2: Tom Twice', same_row: 2, client: null },
      { row: 4, person: 'tom twice', client_name: 'Row 2: Tom Twice', same_row: 2, client: null },
    ])
    const decide = (i: number, decision: string) =>
      hub('bulk.decide', { params: { id: body.data[i].id }, body: { decision } })
    expect((await decide(0, 'same')).status).toBe(200)
    expect((await decide(1, 'skip')).status).toBe(200)
    expect(await apply(upload.id)).toMatchObject({ state: 'done', added: 2, left_out: 1 })
    const [tom, tim] = await rowsOf(upload.id)
    expect(tim.client).toBe(tom.client)
    expect(tim.case).not.toBe(tom.case)
    await hub('bulk.undo', { params: { id: upload.id } })
    expect(await settled(upload.id)).toMatchObject({ state: 'undone', undone: 2 })
    const { rows: left } = await sql`select id from clients where id = ${tom.client}`.execute(context.db)
    expect(left).toEqual([])
  })

  it('is not added before the row that comes first, which is named', async () => {
    const upload = await check([
      good.row('Ula', 'Firstwrong', { 'NHS number': '943 476 5919', 'Date of birth': 'soon' }),
      good.row('Ula', 'Firstwrong', { 'NHS number': '943 476 5919' }),
    ])
    expect([upload.wrong, upload.duplicate]).toEqual([1, 1])
    await hub('bulk.change', { params: { id: upload.id }, body: { decision: 'same' } })
    await apply(upload.id)
    expect((await errorsOf(upload.id)).map((error) => (error as string[])[3])).toContain(
      'Row 2, which has the same person, was not added',
    )
    expect(await read(upload.id)).toMatchObject({ added: 0, wrong: 2 })
  })
})
