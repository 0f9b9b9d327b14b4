import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import xlsx from 'xlsx'
import type { Values } from '../../src/contract/when.ts'
import { dateCell, goodRows, readTemplate, send, workbook } from './bulkFiles.ts'
import { bulkUploads, type GoodRows, type Upload } from './bulkUploads.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let hub: Caller
let good: GoodRows
beforeAll(async () => {
  hub = await context.as('hub')
  good = await goodRows(hub, context.address)
})

const { read, settled, check, apply, errorsOf, rowsOf, countOf, work } = bulkUploads(() => ({
  context,
  hub,
  good,
}))

describe('an upload of cases', () => {
  it('is checked first, and becomes cases as if each had been typed in', async () => {
    const before = await countOf('cases')
    const upload = await check(
      [
        [...good.row('Ann', 'First', { 'Date of birth': dateCell(25569) }), 'Priority 2 - 5 working days'],
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
    await sql`create unique index same_name on clients (last_name) where last_name = 'Same'`.execute(
      context.db,
    )
    const upload = await check([
      good.row('Dee', 'Same'),
      good.row('Eli', 'Same', { 'Date of birth': '3/3/1983' }),
      good.row('Flo', 'After'),
    ])
    expect(upload.ready).toBe(3)
    const done = await apply(upload.id)
    await sql`drop index same_name`.execute(context.db)
    expect([done.state, done.added, done.wrong]).toEqual(['done', 2, 1])
    expect(await errorsOf(upload.id)).toEqual([[3, null, null, expect.stringMatching(/taken|already/)]])
    const { rows } =
      await sql`select first_name from clients where last_name in ('Same', 'After') order by id`.execute(
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
    const csv = (name: string) =>
      [good.headings, good.row('Dan', name), good.row('Eve', name)]
        .map((row) => row.map((cell) => `"${cell ?? ''}"`).join(','))
        .join('\n')
    const { body } = await send(hub, [csv('Comma'), csv('Semicolon')], {
      name: 'cases.csv',
      case_type: '1',
      check: 'true',
    })
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
      [good.headings, good.row('Max', 'Mac', { 'Date of birth': dateCell(25569 - 1462) })],
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
        matched_by: 'same date of birth, same name',
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

  it('are those that remain if they were merged since, and the row is still to be decided if they are gone', async () => {
    const admin = await context.as('admin')
    const first = await apply((await check([good.row('Ava', 'Twice'), good.row('Bo', 'Purged')])).id)
    const [twice, purged] = await rowsOf(first.id)
    const upload = await check([good.row('AVA', 'Twice'), good.row('BO', 'Purged')])
    expect(upload.duplicate).toBe(2)
    const { client: remaining } = await createCase(hub, 1, {
      client: { first_name: 'Ava', last_name: 'Remaining' },
    })
    const pair = { params: { id: remaining, other: twice.client } }
    const { body: compared } = await admin('merges.compare', pair)
    const choices = Object.fromEntries(compared.rows.map((row: Values) => [row.id, 'mine']))
    const { version, other_version } = compared
    const merged = await admin('merges.merge', {
      params: { id: remaining },
      body: { other: twice.client, version, other_version, choices },
    })
    expect(merged.status).toBe(200)
    await sql`update bulk_rows set matches = '{999999}' where upload = ${upload.id} and row = 3`.execute(
      context.db,
    )
    const { body } = await hub('bulk.duplicates', { params: { id: upload.id } })
    expect(body.data).toMatchObject([
      { row: 2, client: remaining, client_name: 'Ava Remaining' },
      { row: 3, client: null, client_name: 'Not there any more' },
    ])
    const decide = (at: number, sent: Values) =>
      hub('bulk.decide', { params: { id: body.data[at].id }, body: sent })
    for (const client of [twice.client, purged.client, 999_999])
      expect([client, (await decide(0, { decision: 'use', client })).status]).toEqual([client, 400])
    expect((await decide(0, { decision: 'use', client: remaining })).status).toBe(200)
    expect((await decide(1, { decision: 'skip' })).status).toBe(200)
    expect((await apply(upload.id)).added).toBe(1)
    expect((await rowsOf(upload.id))[0].client).toBe(remaining)
  })

  it('are found for each of 50 rows, whatever slip is in its name', async () => {
    const firsts = [
      'Margaret',
      'Abdullahi',
      'Katarzyna',
      'Siobhan',
      'Rajesh',
      'Eleri',
      'Thomas',
      'Zainab',
      'Olga',
      'Winston',
    ]
    const lasts = ['Abernathy', 'Kowalczyk', 'Pritchard', 'Okonjo-Bell', 'Vandenberg']
    const people = lasts.flatMap((last, l) =>
      firsts.map((first, f) => ({ first, last, dob: `19${40 + l * 10 + f}-0${l + 1}-1${f}` })),
    )
    const slips = [
      (first: string, last: string) => [first, `${last[0]}${last[2]}${last[1]}${last.slice(3)}`],
      (first: string, last: string) => [first, last.slice(0, -1)],
      (first: string, last: string) => [last, first],
      (first: string, last: string) => [first.toUpperCase(), ` ${last.toLowerCase()} `],
      (first: string, last: string) => [`${first} Ann`, last],
    ]
    const rowOf = (first: string, last: string, dob: string) =>
      good.row(first, last, { 'Date of birth': dob })
    const known = await apply((await check(people.map(({ first, last, dob }) => rowOf(first, last, dob)))).id)
    const clients = (await rowsOf(known.id)).map(({ client }) => client)
    const upload = await check(
      people.map(({ first, last, dob }, i) => {
        const [slippedFirst, slippedLast] = slips[i % slips.length](first, last)
        return rowOf(slippedFirst, slippedLast, dob)
      }),
    )
    expect([upload.duplicate, upload.ready]).toEqual([50, 0])
    const { body } = await hub('bulk.duplicates', { params: { id: upload.id }, query: { page_size: 100 } })
    const found = new Map(body.data.map(({ row, client }: { row: number; client: number }) => [row, client]))
    expect(people.map((_, i) => found.get(i + 2))).toEqual(clients)
  })

  it('outside the scope are only reported as known', async () => {
    const stranger = await context.as('advocate')
    const elsewhere = await createCase(stranger, 1, {
      client: { first_name: 'Wim', last_name: 'Hidden', dob: '1970-02-01' },
    })
    await sql`update issues set advocate = ${stranger.id} where id = ${elsewhere.issue}`.execute(context.db)
    const upload = await check([good.row('Wim', 'Hidden')])
    const { body } = await hub('bulk.duplicates', { params: { id: upload.id } })
    expect(body.data).toMatchObject([{ client: null, client_name: 'Known elsewhere', dob: null }])
    const use = { decision: 'use', client: elsewhere.client }
    expect((await hub('bulk.decide', { params: { id: body.data[0].id }, body: use })).status).toBe(400)
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
    await sql`update bulk_uploads set acting = ${(await context.as('advocate')).id}, state = 'applying', job_total = 1 where id = ${upload.id}`.execute(
      context.db,
    )
    await work()
    expect(await settled(upload.id)).toMatchObject({ state: 'failed', added: 0 })
  })
})
