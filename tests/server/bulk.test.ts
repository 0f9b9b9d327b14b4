import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import xlsx from 'xlsx'
import { workOnUploads } from '../../src/server/bulk/workOnUploads.ts'
import { openDatabase } from '../../src/server/db.ts'
import { forgetUploads } from '../../src/server/jobs/forgetUploads.ts'
import { readSettings } from '../../src/server/settings.ts'
import { goodRows, type Rows, readTemplate, send, workbook } from './bulkFiles.ts'
import { type Caller, startTestServer, type TestContext } from './context.ts'
import { createCase } from './newCase.ts'

let context: TestContext
let hub: Caller
let good: Awaited<ReturnType<typeof goodRows>>
beforeAll(async () => {
  context = await startTestServer()
  hub = await context.as('hub')
  good = await goodRows(hub, context.address)
})
afterAll(() => context?.end())

const BUSY = ['reading', 'checking', 'applying', 'undoing']
// biome-ignore lint/suspicious/noExplicitAny: a test reads replies of every shape.
type Upload = any
const read = async (id: number, caller = hub): Promise<Upload> =>
  (await caller('bulk.read', { params: { id } })).body
/** The upload once no job works on it. */
async function settled(id: number, caller = hub): Promise<Upload> {
  await expect
    .poll(async () => BUSY.includes((await read(id, caller)).state), { timeout: 20_000 })
    .toBe(false)
  return read(id, caller)
}
/** Uploads rows below the good headings to be checked, and waits for that. */
async function check(rows: Rows, headings = good.headings, caller = hub): Promise<Upload> {
  const reply = await send(caller, workbook([headings, ...rows]), { case_type: '1', check: 'true' })
  expect(reply.status).toBe(201)
  return settled(reply.body.data[0].id, caller)
}
async function apply(id: number, caller = hub): Promise<Upload> {
  expect((await caller('bulk.apply', { params: { id } })).status).toBe(200)
  return settled(id, caller)
}
const errorsOf = async (id: number): Promise<unknown[]> =>
  (await hub('bulk.errors', { params: { id } })).body.data.map((e: Upload) => [
    e.row,
    e.column,
    e.value,
    e.message,
  ])
const rowsOf = async (id: number): Promise<Upload[]> =>
  (await hub('bulk.rows', { params: { id }, query: { page_size: 100 } })).body.data
const countOf = async (table: string): Promise<number> =>
  Number(
    (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(context.db)).rows[0].n,
  )

describe('an upload of cases', () => {
  it('is checked first, and becomes cases as if each had been typed in', async () => {
    const before = await countOf('cases')
    const upload = await check(
      [
        [...good.row('Ann', 'First', { 'Date of birth': 25569 }), 'Priority 2 - 5 working days'],
        good.row('Bea', 'Second', { 'Date of birth': '4 June 1980' }),
      ],
      [...good.headings, 'Priority'],
    )
    expect([await errorsOf(upload.id), upload.state, upload.ready]).toEqual([[], 'ready', 2])
    expect(await countOf('cases')).toBe(before)
    const done = await apply(upload.id)
    expect([done.state, done.added, done.ready]).toEqual(['done', 2, 0])
    const [ann, bea] = await rowsOf(upload.id)
    const { body: caseRecord } = await hub('cases.read', { params: { id: ann.case } })
    expect(caseRecord).toMatchObject({
      client_name: 'Ann First',
      created_by: hub.id,
      // What begins as another answer does so in a row as in a form.
      answers: { eligible: 'yes', date_received: '2026-01-15', first_contact_due: '2026-01-22' },
    })
    const dob = async (id: number) => (await hub('clients.read', { params: { id } })).body.dob
    expect([await dob(ann.client), await dob(bea.client)]).toEqual(['1970-01-01', '1980-06-04'])
    const { rows } = await sql`select action, entity, staff from audit
      where "case" = ${ann.case} and action = 'create' order by entity`.execute(context.db)
    expect(rows).toEqual(['case', 'issue'].map((entity) => ({ action: 'create', entity, staff: hub.id })))
    const { rows: issues } = await sql`select hub, advocate from issues where "case" = ${ann.case}`.execute(
      context.db,
    )
    expect(issues).toEqual([{ hub: 1, advocate: null }])
  })

  it('calls no answer missing that follows from a client who is wrong', async () => {
    const { rows } = await sql<{
      meta: object
    }>`select case_meta as meta from case_types where id = 1`.execute(context.db)
    const follows = '"default": {"from": "$client.postcode"}'
    await sql`update case_types set case_meta = replace(case_meta::text, ${follows}, '"required": true, ' || ${follows})::jsonb
      where id = 1`.execute(context.db)
    const upload = await check(
      [
        [...good.row('Ida', 'Follows', { 'NHS number': '123' }), 'CB1 2AB'],
        [...good.row('Jon', 'Follows'), null],
      ],
      [...good.headings, 'Postcode (client)'],
    )
    await sql`update case_types set case_meta = ${JSON.stringify(rows[0].meta)}::jsonb where id = 1`.execute(
      context.db,
    )
    const { body } = await hub('bulk.errors', { params: { id: upload.id } })
    expect(body.data.map(({ row, message }: Upload) => [row, message])).toEqual([
      [2, 'NHS number is not a valid NHS number'],
      [3, 'Enter postcode'],
    ])
  })

  it('keeps what only some of its rows say', async () => {
    const headings = [...good.headings, 'Considers themselves disabled', 'Notes']
    const upload = await check(
      [
        [...good.row('Ana', 'Some'), 'Yes', null],
        [...good.row('Ben', 'Some'), null, 'Rings twice'],
        [...good.row('Cem', 'Some'), 'No', null],
      ],
      headings,
    )
    expect(await errorsOf(upload.id)).toEqual([])
    await apply(upload.id)
    const { rows } = await sql`select c.first_name, c.notes, m.disability, m.version
      from clients c join cases k on k.client = c.id join case_monitoring m on m."case" = k.id
      where c.last_name = 'Some' order by c.id`.execute(context.db)
    expect(rows).toMatchObject([
      { first_name: 'Ana', notes: null, disability: 'yes' },
      { first_name: 'Ben', notes: 'Rings twice', disability: null },
      { first_name: 'Cem', notes: null, disability: 'no' },
    ])
  })

  it('adds the other rows where the database refuses one', async () => {
    await sql`create unique index clash on clients (last_name) where last_name = 'Clash'`.execute(context.db)
    const upload = await check([
      good.row('Dee', 'Clash'),
      good.row('Eli', 'Clash', { 'Date of birth': '3/3/1983' }),
      good.row('Flo', 'After'),
    ])
    expect(upload.ready).toBe(3)
    const done = await apply(upload.id)
    await sql`drop index clash`.execute(context.db)
    expect([done.state, done.added, done.wrong]).toEqual(['done', 2, 1])
    expect(await errorsOf(upload.id)).toEqual([[3, null, null, expect.stringMatching(/taken|already/)]])
    const { rows } =
      await sql`select first_name from clients where last_name in ('Clash', 'After') order by id`.execute(
        context.db,
      )
    expect(rows).toEqual([{ first_name: 'Dee' }, { first_name: 'Flo' }])
  })

  it('of a client that only posts a file adds the good rows, and leaves the wrong ones', async () => {
    const rows = [good.headings, good.row('Cat', 'Good'), good.row('', 'Bad')]
    const { status, body } = await send(hub, workbook(rows), { case_type: '1' })
    expect(status).toBe(201)
    const upload = await settled(body.data[0].id)
    expect([upload.state, upload.added, upload.wrong]).toEqual(['done', 1, 1])
  })

  it('takes several files, CSV too', async () => {
    const csv = [good.headings, good.row('Dan', 'Comma'), good.row('Eve', 'Comma')]
      .map((row) => row.map((cell) => `"${cell ?? ''}"`).join(','))
      .join('\n')
    const { body } = await send(hub, [csv, csv], { name: 'cases.csv', case_type: '1', check: 'true' })
    const [first, second] = await Promise.all(body.data.map(({ id }: Upload) => settled(id)))
    expect([first.name, first.ready, second.name, second.ready]).toEqual(['cases.csv', 2, '1-cases.csv', 2])
  })

  it('names every mistake by row, column, value and reason, and the same of several rows once', async () => {
    const letter = (heading: string) => xlsx.utils.encode_col(good.headings.indexOf(heading))
    const upload = await check([
      good.row('Fay', 'Wrong', { 'Date of birth': '31/2/1980', Contract: 'No such contract' }),
      good.row('Gus', 'Wrong', { 'Date of birth': '1/1/2999', 'NHS number': '123' }),
      good.row('Hal', 'Right'),
      good.row('Ida', 'Wrong', { Contract: 'No such contract' }),
    ])
    const wrongDay = 'Date of birth must be a date such as 4/6/2026 or 2026-06-04'
    const noContract = "Contract: there is no choice 'No such contract'"
    const errors = await errorsOf(upload.id)
    expect(errors).toContainEqual([2, letter('Date of birth'), '31/2/1980', wrongDay])
    expect(errors).toContainEqual([2, letter('Contract'), 'No such contract', noContract])
    expect(errors).toContainEqual([
      3,
      letter('Date of birth'),
      '1/1/2999',
      'Date of birth must be today or in the past',
    ])
    expect(errors.map(([row]: Upload) => row)).toEqual([2, 2, 3, 3, 5])
    expect([upload.wrong, upload.ready]).toEqual([3, 1])
    const { body } = await hub('bulk.errorGroups', { params: { id: upload.id } })
    expect(body.data[0]).toMatchObject({
      message: noContract,
      rows: 2,
      first_row: 2,
      value: 'No such contract',
    })
  })

  it('waits for what an unknown column is, and is never left out in silence', async () => {
    const headings = [...good.headings, 'Colour', 'Given name']
    const upload = await check([[...good.row('', 'Mapped'), 'green', 'Jo']], headings)
    expect(upload.state).toBe('mapping')
    const id = upload.id
    const { body: form } = await hub('bulk.columns', { params: { id } })
    const colour = `c${good.headings.length}`
    const given = `c${good.headings.length + 1}`
    expect([form.columns[colour], form.columns.c0]).toEqual([null, 'client.first_name'])
    // Those to be decided come first, and a note names them.
    expect(form.fields.slice(0, 4).map(({ name, label }: Upload) => [name, label])).toEqual([
      ['unknown_columns', '2 columns were not recognised: Colour, Given name'],
      ['case_type', 'Case type'],
      [colour, expect.stringMatching(/Colour$/)],
      [given, expect.stringMatching(/Given name$/)],
    ])
    expect(form.next).toBeNull()
    expect(form.fields.find((f: Upload) => f.name === colour)).toMatchObject({
      label: expect.stringMatching(/Colour$/),
    })
    const change = (columns: object) => hub('bulk.change', { params: { id }, body: { columns } })
    expect((await change({ [given]: 'client.first_name' })).body).toEqual({
      [`columns.${given}`]: ['Column A is First name already'],
    })
    expect((await change({ [given]: 'client.id' })).status).toBe(400)
    await change({ c0: 'leave_out', [given]: 'client.first_name' })
    expect((await read(id)).state).toBe('mapping')
    const { body: decided } = await change({ [colour]: 'leave_out' })
    expect(decided.next).toBe(`/dashboard/case-uploads/${id}/summary`)
    const checked = await settled(id)
    expect([checked.state, checked.ready]).toEqual(['ready', 1])
    // The hub's next file with this heading needs no answer.
    const next = await check(
      [[...good.row('', 'Again'), 'blue', 'Kim']].map((r) => r.slice(1)),
      headings.slice(1),
    )
    expect([next.state, await errorsOf(next.id)]).toEqual(['ready', []])
  })

  it('learns the case type from its template, or asks for it', async () => {
    const { content, book, help } = await readTemplate(hub, context.address, 2)
    expect(book.SheetNames).toEqual(['data', 'help', 'lists'])
    expect(book.Workbook?.Sheets?.map((s) => s.Hidden)).toEqual([0, 0, 1])
    const sheet = xlsx.CFB.find(xlsx.CFB.read(content, { type: 'buffer' }), '/xl/worksheets/sheet1.xml')
    expect(Buffer.from(sheet!.content as Uint8Array).toString()).toMatch(
      /<dataValidation type="list".*lists!\$/,
    )
    expect(help[0]).toEqual(['Column', 'Of the', 'Required', 'What it takes'])
    xlsx.utils.sheet_add_aoa(book.Sheets.data, [['Lou', 'Template']], { origin: 'A2' })
    const filled = new Uint8Array(xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }))
    const { body } = await send(hub, filled, { check: 'true' })
    expect(await settled(body.data[0].id)).toMatchObject({ case_type: 2, total: 1, state: 'ready' })
    const { body: unknown } = await send(hub, workbook([good.headings, good.row('A', 'B')]), {
      check: 'true',
    })
    const upload = await settled(unknown.data[0].id)
    expect([upload.state, upload.case_type]).toEqual(['mapping', null])
    await hub('bulk.change', { params: { id: upload.id }, body: { columns: { case_type: 1 } } })
    expect((await settled(upload.id)).ready).toBe(1)
  })

  it('reads dates that count from 1904', async () => {
    const book = workbook(
      [good.headings, good.row('Max', 'Mac', { 'Date of birth': 25569 - 1462 })],
      (made) => {
        made.Workbook = { WBProps: { date1904: true } }
      },
    )
    const { body } = await send(hub, book, { case_type: '1' })
    await settled(body.data[0].id)
    const [{ client }] = await rowsOf(body.data[0].id)
    expect((await hub('clients.read', { params: { id: client } })).body.dob).toBe('1970-01-01')
  })
})

describe('wrong rows', () => {
  it('are corrected all at once where they have the same mistake', async () => {
    const upload = await check([
      good.row('Ned', 'Wrong', { Contract: 'Hearts' }),
      good.row('Oda', 'Wrong', { Contract: 'Hearts' }),
      good.row('Pia', 'Wrong', { Contract: 'Spades' }),
    ])
    const right = good.row('', '')[good.headings.indexOf('Contract')]
    const column = good.headings.indexOf('Contract')
    const correct = (body: object) =>
      hub('bulk.correct', { params: { upload: upload.id }, body: { column, ...body } })
    expect((await correct({ value: 'Clubs', to: right })).status).toBe(400)
    expect((await correct({ value: 'Hearts', to: right })).status).toBe(200)
    const corrected = await settled(upload.id)
    expect([corrected.ready, corrected.wrong]).toEqual([2, 1])
  })

  it('ask for the value of a column among its choices, and refuse another one at once', async () => {
    const upload = await check([good.row('Uma', 'Wrong', { Contract: 'Hearts' })])
    const { body } = await hub('bulk.errorGroups', { params: { id: upload.id } })
    const { column_index: column, target } = body.data[0]
    const params = { upload: upload.id, target }
    const { body: form } = await hub('bulk.correctionForm', { params })
    const right = good.row('', '')[good.headings.indexOf('Contract')]
    expect([form.name, form.fields[0].type]).toEqual(['Contract', 'select'])
    expect(form.fields[0].attrs.options).toContainEqual({ value: right, label: right })
    const correct = (to: unknown) =>
      hub('bulk.correct', { params: { upload: upload.id }, body: { column, value: 'Hearts', to } })
    expect((await correct('Spades')).body).toEqual({ to: ["Contract: there is no choice 'Spades'"] })
    expect((await correct(right)).status).toBe(200)
    expect((await settled(upload.id)).ready).toBe(1)
    expect((await hub('bulk.correctionForm', { params: { ...params, target: 'case.id' } })).status).toBe(400)
  })

  it('of a column that the file does not have say so, and get it with one value for all', async () => {
    const at = good.headings.indexOf('Contract')
    const without = (row: unknown[]) => row.filter((_, i) => i !== at)
    const rows = [good.row('Vic', 'Missing'), good.row('Wes', 'Missing')]
    const upload = await check(rows.map(without), without(good.headings) as string[])
    expect([upload.ready, upload.wrong, upload.all_wrong]).toEqual([0, 2, true])
    const { body } = await hub('bulk.errorGroups', { params: { id: upload.id } })
    expect(body.data).toMatchObject([
      { message: "The file has no column 'Contract'", rows: 2, column: null, target: 'case.contract' },
    ])
    const set = () =>
      hub('bulk.correct', {
        params: { upload: upload.id },
        body: { target: 'case.contract', to: rows[0][at] },
      })
    expect((await set()).status).toBe(200)
    const corrected = await settled(upload.id)
    expect([corrected.ready, corrected.wrong, corrected.all_wrong]).toEqual([2, 0, false])
    expect((await set()).body).toEqual({ target: ['The file has this column already'] })
    expect((await apply(upload.id)).added).toBe(2)
  })

  it('come back as a file with as many rows as the screen says, and corrected take the place of the old ones', async () => {
    const upload = await check([
      good.row('Quin', 'Right'),
      good.row('', 'Nameless', { 'Date of birth': 25569 }),
      good.row('Ron', 'Wrong', { 'Date of birth': 'soon' }),
    ])
    const reply = await fetch(`${context.address}/api/bulk/${upload.id}/file`, {
      headers: { authorization: `Token ${hub.key}`, accept: 'application/json' },
    })
    const book = xlsx.read(Buffer.from(await reply.arrayBuffer()))
    const rows: Rows = xlsx.utils.sheet_to_json(book.Sheets.data, { header: 1, defval: null })
    expect(rows.length - 1).toBe(upload.wrong)
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      ['What is wrong', 'Row of the uploaded file'],
      ['Enter first name', 3],
      ['Date of birth must be a date such as 4/6/2026 or 2026-06-04', 4],
    ])
    const dob = rows[0].indexOf('Date of birth')
    expect(rows[1][dob]).toBe('01/01/1970')
    rows[1][rows[0].indexOf('First name')] = 'Sue'
    rows[2][dob] = '2/3/1981'
    const path = `/api/bulk/${upload.id}/corrected`
    const { body } = await send(hub, workbook(rows), { path })
    const corrected = await settled(body.data[0].id)
    expect([corrected.state, corrected.ready, corrected.replaces]).toEqual(['ready', 2, upload.id])
    expect(await read(upload.id)).toMatchObject({
      wrong: 0,
      left_out: 2,
      ready: 1,
      replaced_by: corrected.id,
    })
  })

  it('are those that name the same person twice', async () => {
    const upload = await check([
      good.row('Tom', 'Twice', { 'NHS number': '943 476 5919' }),
      good.row('Tim', 'Twice', { 'NHS number': '9434765919' }),
      good.row('tom', 'twice'),
    ])
    expect(await errorsOf(upload.id)).toEqual([
      [3, null, 'Tim Twice', 'The same person is in row 2'],
      [4, null, 'tom twice', 'The same person is in row 2'],
    ])
  })
})

describe('people who may be known', () => {
  it('wait for a decision: this client, a new person, or neither', async () => {
    const first = await apply((await check([good.row('Uma', 'Known')])).id)
    const [{ client }] = await rowsOf(first.id)
    const again = (name: string) => good.row(name, 'Known', {})
    const upload = await check([again('Uma'), good.row('Vic', 'Other')])
    expect([upload.duplicate, upload.ready]).toEqual([1, 1])
    const { body } = await hub('bulk.duplicates', { params: { id: upload.id } })
    expect(body.data).toEqual([
      expect.objectContaining({
        row: 2,
        client,
        client_name: 'Uma Known',
        matched_by: 'name and date of birth',
      }),
    ])
    const decide = (decision: string, more = {}) =>
      hub('bulk.decide', { params: { id: body.data[0].id }, body: { decision, ...more } })
    expect((await decide('use', { client: client + 1 })).status).toBe(400)
    await decide('skip')
    expect(await read(upload.id)).toMatchObject({ left_out: 1, duplicate: 0 })
    expect((await decide('use', { client })).status).toBe(200)
    const clients = await countOf('clients')
    const done = await apply(upload.id)
    expect([done.added, await countOf('clients')]).toEqual([2, clients + 1])
    expect((await rowsOf(upload.id))[0].client).toBe(client)
  })

  it('outside the scope are only said to be known', async () => {
    const stranger = await context.as('advocate')
    const elsewhere = await createCase(stranger, 1, {
      client: { first_name: 'Wim', last_name: 'Hidden', dob: '1970-02-01' },
    })
    await sql`update issues set advocate = ${stranger.id} where id = ${elsewhere.issue}`.execute(context.db)
    const upload = await check([good.row('Wim', 'Hidden')])
    const { body } = await hub('bulk.duplicates', { params: { id: upload.id } })
    expect(body.data).toMatchObject([{ client: null, client_name: 'Known elsewhere', dob: null }])
    const use = { decision: 'use', client: elsewhere.client }
    expect((await hub('bulk.decide', { params: { id: body.data[0].id }, body: use })).status).toBe(404)
    await hub('bulk.change', { params: { id: upload.id }, body: { decision: 'new' } })
    expect((await apply(upload.id)).added).toBe(1)
  })
})

describe('who sees and does what', () => {
  it('is the hub, and administrators', async () => {
    const upload = await check([good.row('Xia', 'Scope')])
    await sql`insert into staff (username, first_name, last_name, password_hash, groups, hub)
      select 'farhub', 'Far', 'Hub', password_hash, '{3}', 2 from staff where username = 'hub'`.execute(
      context.db,
    )
    const [manager, admin, far, advocate] = await Promise.all(
      ['hubmanager', 'admin', 'farhub', 'advocate'].map((name) => context.as(name)),
    )
    const params = { id: upload.id }
    const seen = async (caller: Caller) =>
      Promise.all(
        [
          'bulk.read',
          'bulk.errors',
          'bulk.rows',
          'bulk.duplicates',
          'bulk.columns',
          'bulk.file',
          'bulk.apply',
          'bulk.undo',
        ].map(async (call) => (await caller(call, { params })).status),
      )
    expect(new Set(await seen(far))).toEqual(new Set([404]))
    expect(new Set(await seen(advocate))).toEqual(new Set([403]))
    expect((await manager('bulk.read', { params })).status).toBe(200)
    expect((await admin('bulk.uploads')).body.data.map((u: Upload) => u.id)).toContain(upload.id)
    expect((await far('bulk.uploads')).body.data).toEqual([])
    const [{ id }] = await rowsOf(upload.id)
    expect((await far('bulk.decide', { params: { id }, body: { decision: 'skip' } })).status).toBe(404)
    const correction = { params: { upload: upload.id }, body: { column: 0, to: 'x' } }
    expect((await far('bulk.correct', correction)).status).toBe(404)
  })

  it('lets a hub manager name advocates, and nobody else', async () => {
    const manager = await context.as('hubmanager')
    const { data: ofManager } = await readTemplate(manager, context.address)
    const { data: ofHub } = await readTemplate(hub, context.address)
    expect([ofManager[0].includes('Advocate'), ofHub[0].includes('Advocate')]).toEqual([true, false])
    const headings = [...good.headings, 'Advocate']
    const rows = [
      [...good.row('Yan', 'Assigned'), 'advocate Example'],
      [...good.row('Zoe', 'Stranger'), 'stranger Example'],
    ]
    const upload = await check(rows, headings, manager)
    expect([upload.ready, upload.wrong]).toEqual([1, 1])
    const done = await apply(upload.id, manager)
    expect(done.added).toBe(1)
    expect((await check(rows, headings)).state).toBe('mapping')
  })

  it('stops where the person who started it may no longer upload', async () => {
    const upload = await check([good.row('Abe', 'Stopped')])
    const params = { id: upload.id }
    await sql`update bulk_uploads set acting = ${(await context.as('advocate')).id}, state = 'applying', job_total = 1 where id = ${upload.id}`.execute(
      context.db,
    )
    await work()
    expect((await hub('bulk.read', { params })).body).toMatchObject({ state: 'failed', added: 0 })
  })
})

/** What another server does that finds uploads without one. */
async function work(db = context.pools.slow, ending = new AbortController().signal): Promise<void> {
  const { contract } = context
  await workOnUploads({
    db,
    contract,
    settings: readSettings({}),
    log: { warn: () => undefined } as never,
    ending,
  })
}

describe('the job', () => {
  const startApplying = (id: number) =>
    sql`update bulk_uploads set state = 'applying', job_total = 1, job_started_at = now() where id = ${id}`.execute(
      context.db,
    )
  /** Lets every insert of a client with this last name fail by statements of PL/pgSQL. */
  const refuseClients = (lastName: string, statements: string) =>
    sql`create function ${sql.ref(`refuse_${lastName}`)}() returns trigger language plpgsql as
        ${sql.lit(`begin ${statements}; end`)};
      create trigger ${sql.ref(`refuse_${lastName}`)} before insert on clients for each row
        when (new.last_name = ${sql.lit(lastName)}) execute function ${sql.ref(`refuse_${lastName}`)}()`.execute(
      context.db,
    )
  const many = (last: string, n: number) =>
    Array.from({ length: n }, (_, i) => good.row(`Person${String.fromCharCode(97 + (i % 26))}${i}`, last))

  it('goes on where a server died in the middle of adding, and adds nothing twice', async () => {
    const upload = await check(many('Died', 120))
    const before = await countOf('cases')
    // A batch is done; then the server is gone without giving its lease back.
    const ending = new AbortController()
    await sql`update bulk_uploads set state = 'applying', job_total = 120, job_started_at = now() where id = ${upload.id}`.execute(
      context.db,
    )
    const dying = work(context.pools.slow, ending.signal)
    await expect.poll(async () => (await read(upload.id)).added, { interval: 10 }).toBeGreaterThan(0)
    ending.abort()
    await dying
    const added = (await read(upload.id)).added
    expect(added).toBeLessThan(120)
    await sql`update bulk_uploads set worker = gen_random_uuid(), leased_until = now() + interval '1 hour' where id = ${upload.id}`.execute(
      context.db,
    )
    await work()
    expect((await read(upload.id)).added).toBe(added)
    await sql`update bulk_uploads set leased_until = now() - interval '1 second' where id = ${upload.id}`.execute(
      context.db,
    )
    await work()
    expect(await read(upload.id)).toMatchObject({ state: 'done', added: 120 })
    expect(await countOf('cases')).toBe(before + 120)
  })

  it('is done once by two servers', async () => {
    const upload = await check(many('Two', 120))
    const before = await countOf('cases')
    const other = openDatabase(context.databaseUrl)
    await sql`update bulk_uploads set state = 'applying', job_total = 120, job_started_at = now() where id = ${upload.id}`.execute(
      context.db,
    )
    await Promise.all([work(), work(other.slow), work(other.db)])
    await other.close()
    expect(await read(upload.id)).toMatchObject({ state: 'done', added: 120, wrong: 0 })
    expect(await countOf('cases')).toBe(before + 120)
  })

  it('gives up after three batches in a row that took too long', async () => {
    const upload = await check([good.row('Zoe', 'Slow')])
    await sql`create sequence attempts`.execute(context.db)
    await refuseClients('Slow', "perform nextval('attempts'); raise query_canceled")
    await startApplying(upload.id)
    await work()
    expect(await read(upload.id)).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(/^The database took too long/),
    })
    const { rows } = await sql`select last_value as n from attempts`.execute(context.db)
    expect(rows).toEqual([{ n: 3 }])
  })

  it('leaves the state to the server that has its lease', async () => {
    const upload = await check([good.row('Yan', 'Leased')])
    await refuseClients('Leased', "perform pg_sleep(0.5); raise 'broken'")
    await startApplying(upload.id)
    const working = work()
    const isLocked = async () =>
      (await sql`select from bulk_uploads where id = ${upload.id} for update skip locked`.execute(context.db))
        .rows.length === 0
    await expect.poll(isLocked, { interval: 10 }).toBe(true)
    // Waits for the batch to fail.
    await sql`update bulk_uploads set worker = gen_random_uuid(), leased_until = now() + interval '1 hour'
      where id = ${upload.id}`.execute(context.db)
    await working
    expect((await read(upload.id)).state).toBe('applying')
  })

  it('says how far it is', async () => {
    const upload = await check(many('Far', 3))
    const { body } = await hub('bulk.progress', { params: { id: upload.id } })
    expect(body).toMatchObject({ id: upload.id, state: 'ready', total: 3, done: 3, seconds_left: 0 })
    expect(body.rate).toBeGreaterThan(0)
  })

  it('refuses what does not fit its state', async () => {
    const upload = await check([good.row('Bob', 'State')])
    const params = { id: upload.id }
    const codes = async (...calls: string[]) =>
      Promise.all(calls.map(async (call) => (await hub(call, { params })).body.code))
    expect(await codes('bulk.undo')).toEqual(['uploadState'])
    await sql`update bulk_uploads set state = 'checking', leased_until = now() + interval '1 hour' where id = ${upload.id}`.execute(
      context.db,
    )
    expect(await codes('bulk.apply', 'bulk.undo')).toEqual(['uploadBusy', 'uploadBusy'])
    const body = { columns: { c0: 'leave_out' } }
    expect((await hub('bulk.change', { params, body })).body.code).toBe('uploadBusy')
    await sql`update bulk_uploads set state = 'ready', leased_until = null where id = ${upload.id}`.execute(
      context.db,
    )
    await apply(upload.id)
    expect(await codes('bulk.apply')).toEqual(['uploadState'])
  })
})

interface Ids {
  client: number
  case: number
  issue: number
}
const REASONS = {
  issue: 'Kept, because an issue was added since',
  action: 'Kept, because an action was added since',
  task: 'Kept, because a task was added since',
  document: 'Kept, because a document was added since',
  signpost: 'Kept, because signposting was added since',
  referral: 'Kept, because a referral was added since',
  client: 'The case is gone; the client is kept, because something was added to it since',
}
const MANY = 1_000_000

/** What people add later, by the column that refers to the client, case or issue, with the note of the row that is undone. */
const ADDED_LATER: Record<string, { note: string; insert: (ids: Ids) => RawBuilder<unknown> }> = {
  'actions.case': {
    note: REASONS.action,
    insert: (to) => sql`insert into actions (client, "case", type, done_on)
      values (${to.client}, ${to.case}, 1, '2026-01-01')`,
  },
  'actions.issue': {
    note: REASONS.action,
    insert: (to) => sql`insert into actions (client, "case", issue, type, done_on)
      values (${to.client}, ${to.case}, ${to.issue}, 1, '2026-01-01')`,
  },
  'cases.client': {
    note: REASONS.client,
    insert: (to) => sql`insert into cases (client, service, case_type, case_type_version, contract)
      select client, service, case_type, case_type_version, contract from cases where id = ${to.case}`,
  },
  'communication_issues.client': {
    note: REASONS.client,
    insert: (to) => sql`insert into communication_issues (client, type) values (${to.client}, 1)`,
  },
  'issue_documents.issue': {
    note: REASONS.document,
    insert: (to) => sql`with f as (insert into files (name, type, size, content, created_by)
        values ('a.pdf', 'application/pdf', 1, 'x', ${hub.id}) returning id)
      insert into issue_documents (issue, name, file) select ${to.issue}, 'a.pdf', id from f`,
  },
  'issues.case': {
    note: REASONS.issue,
    insert: (to) => sql`insert into issues
      select (jsonb_populate_record(i, jsonb_build_object('id', ${MANY}::int))).* from issues i where id = ${to.issue}`,
  },
  'referral_requests.case': {
    note: REASONS.referral,
    insert: (to) => sql`insert into referral_requests (hub, service, "case") values (1, 1, ${to.case})`,
  },
  'referral_requests.from_case': {
    note: REASONS.referral,
    insert: (to) => sql`insert into referral_requests (hub, service, from_client, from_case)
      values (2, 1, ${to.client}, ${to.case})`,
  },
  'referral_requests.from_client': {
    note: REASONS.client,
    insert: (to) =>
      sql`insert into referral_requests (hub, service, from_client) values (2, 1, ${to.client})`,
  },
  'risks.client': {
    note: REASONS.client,
    insert: (to) => sql`insert into risks (client, type) values (${to.client}, 1)`,
  },
  'signposts.case': {
    note: REASONS.signpost,
    insert: (to) => sql`insert into signposts (client, "case", sp_org) values (${to.client}, ${to.case}, 1)`,
  },
  'signposts.client': {
    note: REASONS.client,
    insert: (to) => sql`insert into signposts (client, sp_org) values (${to.client}, 1)`,
  },
  'tasks.case': {
    note: REASONS.task,
    insert: (to) => sql`insert into tasks (title, due, "case") values ('Ring', '2026-01-01', ${to.case})`,
  },
  'tasks.client': {
    note: REASONS.client,
    insert: (to) => sql`insert into tasks (title, due, client) values ('Ring', '2026-01-01', ${to.client})`,
  },
  'tasks.issue': {
    note: REASONS.task,
    insert: (to) => sql`insert into tasks (title, due, issue) values ('Ring', '2026-01-01', ${to.issue})`,
  },
  'drafts about the issue': {
    note: 'Kept, because somebody is writing about it since',
    insert: (to) => sql`insert into drafts (staff, kind, title, address, payload)
      values (${hub.id}, 'action', 'Action', ${`/issues/${to.issue}/actions/new`}, '{}')`,
  },
  'drafts about the client': {
    note: REASONS.client,
    insert: (to) => sql`insert into drafts (staff, kind, title, address, payload)
      values (${hub.id}, 'risk', 'Risk', ${`/clients/${to.client}/risks/new`}, '{}')`,
  },
}
/** What the server adds with a case, or keeps of it for itself; an action has the client of its case. */
const ADDED_WITH_A_CASE = [
  'actions.client',
  'answer_index.case',
  'answer_index.issue',
  'answer_values.case',
  'answer_values.issue',
  'case_monitoring.case',
  'issue_monitoring.issue',
  'work_notices.issue',
]

describe('undoing', () => {
  const undo = async (id: number) => {
    expect((await hub('bulk.undo', { params: { id } })).status).toBe(200)
    return settled(id)
  }

  it('takes back what nobody touched since, and says what it kept and why', async () => {
    const rows = ['Cy', 'Di', 'Ed', 'Flo'].map((name) => good.row(name, 'Undone'))
    const upload = await apply((await check(rows)).id)
    const [cy, di, ed, flo] = await rowsOf(upload.id)
    await hub('cases.update', { params: { id: di.case }, body: { answers: { ward: 'Seven' } } })
    await sql`insert into actions (client, "case", type, done_on, time_taken, created_by)
      values (${ed.client}, ${ed.case}, 1, '2026-01-01', 0, ${hub.id})`.execute(context.db)
    await hub('clients.update', { params: { id: flo.client }, body: { notes: 'Rings on Mondays' } })
    expect((await hub('bulk.undo', { params: { id: upload.id } })).status).toBe(200)
    const undone = await settled(upload.id)
    expect(undone).toMatchObject({ state: 'undone', undone: 2, kept: 2, added: 0 })
    expect((await rowsOf(upload.id)).map(({ state, note }) => [state, note])).toEqual([
      ['undone', null],
      ['kept', 'Kept, because the case was changed since'],
      ['kept', 'Kept, because an action was added since'],
      ['undone', 'The case is gone; the client is kept, because something was added to it since'],
    ])
    const status = async (call: string, id: number) => (await hub(call, { params: { id } })).status
    expect(await status('cases.read', cy.case)).toBe(404)
    expect(await status('clients.read', cy.client)).toBe(404)
    expect(await status('cases.read', di.case)).toBe(200)
    expect(await status('cases.read', flo.case)).toBe(404)
    const { rows: left } =
      await sql`select id from clients where id = any(${[cy.client, flo.client]}::int[])`.execute(context.db)
    expect(left).toEqual([{ id: flo.client }])
  })

  it('keeps a record to which anything was added since', async () => {
    const all = Object.values(ADDED_LATER)
    const upload = await apply((await check(all.map((_, i) => good.row(`Person${i}`, 'Later')))).id)
    for (const [i, { client, case: caseRecord }] of (await rowsOf(upload.id)).entries()) {
      const { rows } = await sql<{
        id: number
      }>`select id from issues where "case" = ${caseRecord}`.execute(context.db)
      await all[i].insert({ client, case: caseRecord, issue: rows[0].id }).execute(context.db)
    }
    await undo(upload.id)
    const notes = (await rowsOf(upload.id)).map(({ note }, i) => [Object.keys(ADDED_LATER)[i], note])
    expect(notes).toEqual(Object.entries(ADDED_LATER).map(([column, { note }]) => [column, note]))
  })

  it('knows every table that refers to a client, case or issue', async () => {
    const { rows } = await sql<{ name: string }>`select c.conrelid::regclass || '.' || a.attname as name
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
      where c.contype = 'f' and c.confrelid in ('clients'::regclass, 'cases'::regclass, 'issues'::regclass)`.execute(
      context.db,
    )
    const names = rows.map(({ name }) => name)
    expect(names).toContain('tasks.case')
    expect(names.filter((name) => !(name in ADDED_LATER) && !ADDED_WITH_A_CASE.includes(name))).toEqual([])
  })

  it('waits for what somebody is adding to a case at the moment', async () => {
    const upload = await apply((await check([good.row('Wanda', 'Waited')])).id)
    const [{ client, case: caseRecord }] = await rowsOf(upload.id)
    await context.db.transaction().execute(async (tx) => {
      await sql`insert into actions (client, "case", type, done_on)
        values (${client}, ${caseRecord}, 1, '2026-01-01')`.execute(tx)
      expect((await hub('bulk.undo', { params: { id: upload.id } })).status).toBe(200)
      const isWaiting = async () =>
        (
          await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(tx)
        ).rows.length
      await expect.poll(isWaiting, { interval: 10 }).toBeGreaterThan(0)
    })
    await settled(upload.id)
    expect(await rowsOf(upload.id)).toMatchObject([
      { state: 'kept', note: 'Kept, because an action was added since' },
    ])
  })

  it('is possible for 14 days; then rows and file are forgotten', async () => {
    const upload = await apply((await check([good.row('Gil', 'Late')])).id)
    const waiting = await check([good.row('Hugo', 'Waiting')])
    await sql`update bulk_uploads set applied_at = applied_at - interval '15 days', updated_at = now() - interval '15 days'
      where id = any(${[upload.id, waiting.id]}::int[])`.execute(context.db)
    const params = { id: upload.id }
    expect((await hub('bulk.undo', { params })).body.message).toBe('An upload can be undone for 14 days')
    await forgetUploads({ db: context.db })
    expect(await read(waiting.id)).toMatchObject({ state: 'failed', left_out: 0 })
    const { rows } = await sql`select state, cells, person, "case" is not null as has_case from bulk_rows
      where upload = any(${[upload.id, waiting.id]}::int[]) order by upload`.execute(context.db)
    expect(rows).toEqual([
      { state: 'added', cells: [], person: null, has_case: true },
      { state: 'skipped', cells: [], person: null, has_case: false },
    ])
    const { rows: files } = await sql`select 1 from files
      where entity = 'bulkUpload' and record = any(${[upload.id, waiting.id]}::int[])`.execute(context.db)
    expect(files).toEqual([])
  })

  it('is refused with all other changes once the rows are forgotten', async () => {
    const { id } = await check([good.row('Jan', 'Forgotten'), good.row('Kay', 'Forgotten')])
    const [, kay] = await rowsOf(id)
    await sql`update bulk_rows set state = 'skipped', decision = 'skip' where id = ${kay.id}`.execute(
      context.db,
    )
    await apply(id)
    await sql`update bulk_uploads set applied_at = applied_at - interval '15 days' where id = ${id}`.execute(
      context.db,
    )
    await forgetUploads({ db: context.db })
    const refused = [409, expect.stringMatching(/older than 14 days/)]
    for (const [call, options] of [
      ['bulk.decide', { params: { id: kay.id }, body: { decision: 'new' } }],
      ['bulk.change', { params: { id }, body: { decision: 'new' } }],
      ['bulk.apply', { params: { id } }],
      ['bulk.undo', { params: { id } }],
    ] as const) {
      const { status, body } = await hub(call, options)
      expect([call, status, body.message]).toEqual([call, ...refused])
    }
    expect((await rowsOf(id))[1].state).toBe('skipped')
  })

  it('of a purge leaves nothing of the client in the upload', async () => {
    const upload = await apply((await check([good.row('Iris', 'Purged')])).id)
    const [{ case: caseId, client }] = await rowsOf(upload.id)
    const admin = await context.as('admin')
    const [issue] = (await admin('cases.issues', { params: { id: caseId } })).body.data
    await admin('issues.retire', { params: { id: issue.id } })
    await admin('cases.retire', { params: { id: caseId } })
    await admin('clients.retire', { params: { id: client } })
    expect((await admin('clients.purge', { params: { id: client } })).status).toBe(200)
    const { rows } =
      await sql`select cells, person, client from bulk_rows where upload = ${upload.id}`.execute(context.db)
    expect(rows).toEqual([{ cells: [], person: null, client: null }])
    const { rows: files } =
      await sql`select 1 from files where entity = 'bulkUpload' and record = ${upload.id}`.execute(context.db)
    expect(files).toEqual([])
  })
})

describe('a file that cannot be taken', () => {
  const refused = async (content: BlobPart, name: string) => {
    const { status, body } = await send(hub, content, { name, case_type: '1', check: 'true' })
    return [status, body.file?.[0] ?? body.message]
  }
  const failing = async (content: BlobPart) => {
    const { body } = await send(hub, content, { case_type: '1', check: 'true' })
    const { state, problem } = await settled(body.data[0].id)
    return [state, problem]
  }

  it('is refused at once in a sentence where its name or content says so', async () => {
    const sheet = workbook([['First name'], ['Ann']])
    expect(await refused('', 'cases.xlsx')).toEqual([400, 'The file is empty'])
    expect(await refused('%PDF-1.7', 'cases.xlsx')).toEqual([
      400,
      'The file is no Excel workbook, although its name ends in .xlsx',
    ])
    expect(await refused(sheet, 'cases.xlsm')).toEqual([
      400,
      'A workbook with macros is not taken: save it as an .xlsx workbook without them',
    ])
    expect(await refused(sheet, 'cases.pdf')).toEqual([400, 'The file must be an .xlsx or .csv file'])
    expect(await refused(sheet, 'cases.csv')).toEqual([400, 'The file is no text, as a .csv file must be'])
    expect(await refused(new Uint8Array(26 * 1024 * 1024), 'cases.xlsx')).toEqual([
      413,
      'Uploaded file is too large',
    ])
    const { status } = await hub.raw('/api/bulk/upload', { method: 'POST', body: new FormData() })
    expect(status).toBe(400)
  })

  it('fails in a sentence where it was opened', async () => {
    const merged = workbook(
      [
        ['First name', ''],
        ['Ann', 'B'],
      ],
      ({ Sheets }) => {
        Sheets.data['!merges'] = [{ s: { r: 0, c: 0 }, e: { r: 0, c: 1 } }]
      },
    )
    const sheets = workbook([['First name']], (book) => {
      book.SheetNames[0] = 'one'
      book.Sheets.one = book.Sheets.data
      for (let i = 2; i <= 30; i++)
        xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet([[i]]), `s${i}`)
    })
    const macros = xlsx.CFB.read(Buffer.from(workbook([['First name'], ['Ann']])), { type: 'buffer' })
    xlsx.CFB.utils.cfb_add(macros, '/xl/vbaProject.bin', Buffer.from('x'))
    const withMacros = new Uint8Array(xlsx.CFB.write(macros, { type: 'buffer', fileType: 'zip' }) as Buffer)
    const tooMany = workbook([['First name'], ...Array.from({ length: 10_001 }, (_, i) => [`A${i}`])])
    expect(await failing(merged)).toEqual([
      'failed',
      'Headings are merged: each column needs a heading of its own in row 1',
    ])
    expect(await failing(sheets)).toEqual([
      'failed',
      "The file has 30 sheets: call the one with the cases 'data', or delete the others",
    ])
    expect(await failing(withMacros)).toEqual([
      'failed',
      'The file holds macros: save it as an .xlsx workbook without them',
    ])
    expect(await failing(tooMany)).toEqual([
      'failed',
      'A file has at most 10,000 rows: split it into several',
    ])
    expect(
      await failing(
        workbook([
          ['Name', 'name'],
          ['a', 'b'],
        ]),
      ),
    ).toEqual(['failed', "Columns A and B have the same heading 'name': give each its own"])
    expect(await failing(workbook([['Name']]))).toEqual([
      'failed',
      'The file has headings, but no rows below them',
    ])
    expect(await failing(workbook([[]]))).toEqual(['failed', 'The file is empty'])
    expect(await failing(bomb())).toEqual([
      'failed',
      'The file is too large to be read: split it into several',
    ])
    const wide = workbook([
      Array.from({ length: 301 }, (_, i) => `h${i}`),
      Array.from({ length: 301 }, () => 1),
    ])
    expect(await failing(wide)).toEqual(['failed', 'A file has at most 300 columns'])
  })

  it('tells formulas, errors and values of wrong types as mistakes of their rows', async () => {
    const book = workbook(
      [good.headings, good.row('Jan', 'Formula'), good.row('Kay', 'Error')],
      ({ Sheets }) => {
        const at = (heading: string, r: number) =>
          xlsx.utils.encode_cell({ r, c: good.headings.indexOf(heading) })
        Sheets.data[at('Last name', 1)] = { t: 's', f: 'A1&A2', v: 'x' }
        Sheets.data[at('Last name', 2)] = { t: 'e', v: 42 }
        Sheets.data[at('Date of birth', 2)] = { t: 'b', v: true }
      },
    )
    const { body } = await send(hub, book, { case_type: '1', check: 'true' })
    await settled(body.data[0].id)
    const column = (heading: string) => xlsx.utils.encode_col(good.headings.indexOf(heading))
    expect((await errorsOf(body.data[0].id)).map((e: Upload) => e.slice(0, 4))).toEqual(
      expect.arrayContaining([
        [2, column('Last name'), '=A1&A2', 'Last name holds a formula: put its value there instead'],
        [3, column('Last name'), '#N/A', 'Last name holds an error of the spreadsheet'],
        [3, column('Date of birth'), 'true', 'Date of birth must be a date such as 4/6/2026 or 2026-06-04'],
      ]),
    )
  })
})

/** A workbook whose table of contents says that it unpacks to far more than it is. */
function bomb(): Uint8Array<ArrayBuffer> {
  const zip = xlsx.CFB.read(Buffer.from(workbook([['First name'], ['Ann']])), { type: 'buffer' })
  xlsx.CFB.utils.cfb_add(zip, '/xl/worksheets/sheet9.xml', Buffer.alloc(130 * 1024 * 1024))
  return new Uint8Array(xlsx.CFB.write(zip, { type: 'buffer', fileType: 'zip', compression: true }) as Buffer)
}
