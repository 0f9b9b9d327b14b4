import { connect } from 'node:net'
import { resolve } from 'node:path'
import Fastify from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { isLocal } from '../../src/contract/localAddress.ts'
import { suggest } from '../../src/contract/suggest.ts'
import { asProblem } from '../../src/server/core/problems.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { createApp } from '../../src/server/http/app.ts'
import { endSlowBodies, REQUEST_TIMEOUT } from '../../src/server/http/slowBodies.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let advocate: Caller
let admin: Caller
let made: { id: number; client: number; issue: number }
beforeAll(async () => {
  advocate = await context.as('advocate')
  admin = await context.as('admin')
  made = await createCase(advocate)
})

const patch = (body: unknown) => advocate('clients.update', { params: { id: made.client }, body })
const unknownKeys = (count: number, length = 8) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}_`.padEnd(length, 'first_name'), 1]))

describe('unknown keys', () => {
  it.each([
    ['a record', () => patch(unknownKeys(500, 300))],
    [
      'answers of a case type',
      () => admin('caseTypes.update', { params: { id: 1 }, body: unknownKeys(500, 300) }),
    ],
    [
      'an item of a list',
      () =>
        admin('admin.add', {
          params: { app: 'core', type: 'hub' },
          body: { data: {}, ...unknownKeys(500, 300) },
        }),
    ],
  ])('of %s are reported up to 20, and 100 characters of each', async (_, send) => {
    const { status, body } = await send()
    const longest = Math.max(...Object.keys(body).map((key) => key.length))
    expect([status, Object.keys(body).length, longest]).toEqual([400, 20, 100])
    expect(JSON.stringify(body).length).toBeLessThan(10_000)
  })

  it('get a suggestion where a known one is near, and none where they are long', () => {
    expect(suggest('frist_name', ['last_name', 'first_name'])).toBe("; did you mean 'first_name'?")
    expect(suggest('dbo', ['title', 'dob'])).toBe("; did you mean 'dob'?")
    expect(suggest('nonsense', ['title', 'dob'])).toBe('')
    const long = 'first_name'.repeat(10)
    expect(suggest(`${long}s`, [long])).toBe('')
  })
})

describe('a body before sign-in', () => {
  const text = (length: number) => JSON.stringify({ username: 'x'.repeat(length), password: 'y' })
  const login = (address: string, body: string, type = 'application/json') =>
    fetch(`${address}/login/`, { method: 'POST', body, headers: { 'content-type': type } })

  it('has at most 16 KB', async () => {
    expect((await login(context.address, text(17_000))).status).toBe(413)
    expect((await login(context.address, text(15_000))).status).toBe(403)
  })

  it('has a larger one where its descriptor says so', async () => {
    const { endpoints } = context.contract
    const larger = { ...endpoints, 'auth.login': { ...endpoints['auth.login'], bodyLimit: 50_000 } }
    const app = await createApp({
      ...context.pools,
      databaseUrl: context.databaseUrl,
      contract: { ...context.contract, endpoints: larger },
      settings: readSettings({ LOG_LEVEL: 'silent' }),
      web: resolve('dist/web'),
    })
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    expect((await login(address, text(40_000))).status).toBe(403)
    expect((await login(address, text(50_000))).status).toBe(413)
    await app.close()
  })

  it('is not read where only staff may call', async () => {
    const broken = {
      method: 'PATCH',
      body: '{"first_name":',
      headers: { 'content-type': 'application/json' },
    }
    expect((await fetch(`${context.address}/client/1/update/`, broken)).status).toBe(401)
  })
})

describe('a value of the wrong type', () => {
  const objects: unknown[] = [{ toString: 1 }, [{ toString: 1 }], { length: 3 }]
  it.each(objects.map((one) => [JSON.stringify(one), one]))('%s is refused with words', async (_, value) => {
    for (const field of ['dob', 'nhs_number', 'email', 'first_name']) {
      const { status, body } = await patch({ [field]: value })
      expect([field, status, Object.keys(body)]).toEqual([field, 400, [field]])
    }
  })
})

describe('brackets', () => {
  it('inside of a text are text', async () => {
    const notes = `${'['.repeat(33)} "${'{'.repeat(40)}\\" \\\\`
    expect((await patch({ notes })).body.notes).toBe(notes)
  })

  it('outside of texts are nested up to 32 deep', async () => {
    const nested = (n: number) =>
      advocate.raw(`/client/${made.client}/update/`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: `{"\\"[":${'['.repeat(n)}${']'.repeat(n)}}`,
      })
    expect((await nested(31)).body).not.toHaveProperty('message')
    expect((await nested(32)).body.message).toBe('The body is nested too deep')
  })
})

describe('a body of tiny values', () => {
  it.each([
    ['too many values', { notes: new Array(50_001).fill(1) }],
    ['too many values', { notes: new Array(25_001).fill({}) }],
    ['too many values', { notes: Array.from({ length: 24 }, () => unknownKeys(1100)) }],
    ['too many keys', unknownKeys(2001)],
    ['too many keys', { comm_needs: [unknownKeys(2001)] }],
  ])('with %s is refused before it is parsed', async (words, body) => {
    const reply = await patch(body)
    expect([reply.status, reply.body.message]).toEqual([400, expect.stringContaining(words)])
  })

  it('may have many in all that are few in each', async () => {
    const payload = { rows: Array.from({ length: 200 }, () => unknownKeys(100)) }
    expect((await advocate('drafts.create', { body: { kind: 'case', payload } })).status).toBe(201)
  })
})

describe('answers that are none', () => {
  it.each([['text'], [['a', 'list']], [5]])('%j are refused', async (answers) => {
    const params = { id: made.issue }
    const refused = { status: 400, body: { answers: ['must be answers by name'] } }
    expect(await advocate('issues.update', { params, body: { answers } })).toMatchObject(refused)
    expect(await advocate('cases.addIssue', { params: { id: made.id }, body: { answers } })).toMatchObject(
      refused,
    )
  })
})

describe('a list that is far too long', () => {
  it('is refused for its length alone', async () => {
    const { status, body } = await patch({ comm_preferences: new Array(1001).fill('x') })
    expect([status, body]).toEqual([400, { comm_preferences: [expect.stringContaining('at most 500')] }])
  })
})

describe('a form of a case type', () => {
  const field = (i: number, attrs = {}) => ({ name: `f${i}`, label: 'a', type: 'text', attrs })
  const publish = (issue_meta: unknown) =>
    admin('caseTypes.update', { params: { id: 1 }, body: { issue_meta } })
  const fields = (list: unknown[]) => [{ name: 'g', label: 'g', fields: list }]

  it('that is wrong everywhere is refused for its first mistake', async () => {
    const { status, body } = await publish(fields(new Array(20_001).fill({})))
    expect([status, Object.keys(body).length]).toEqual([400, 1])
  })

  it('with some mistakes is refused for all of them', async () => {
    const { status, body } = await publish(
      fields([
        { ...field(1), type: 'x' },
        { ...field(2), label: 1 },
      ]),
    )
    expect([status, Object.keys(body)]).toEqual([
      400,
      ['issue_meta.0.fields.0.type', 'issue_meta.0.fields.1.label'],
    ])
  })

  it('with far too many fields or conditions is refused for that alone', async () => {
    const groups = Array.from({ length: 30 }, (_, g) => ({
      name: `g${g}`,
      label: 'g',
      fields: Array.from({ length: 100 }, (_, i) => field(g * 100 + i, { when: { nowhere: 'x' } })),
    }))
    expect((await publish(groups)).body).toEqual({
      issue_meta: ['A form may have 2000 fields; remove 1000 of them'],
    })
    const when = Object.fromEntries(Array.from({ length: 26 }, (_, i) => [`f${i}`, 'x']))
    const { body } = await publish(fields([field(1, { when })]))
    expect(body).toEqual({ 'issue_meta.0.fields.0.attrs.when': ['must have at most 25 entries'] })
  })
})

describe('a form with many totals over rows', () => {
  const range = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))
  const field = (name: string, type: string, attrs = {}) => ({ name, label: name, type, attrs })
  const form = (count: number) => {
    const double = field('double', 'integer', { calc: 'add', of: ['amount', 'amount'] })
    const costs = { ...field('costs', 'repeat'), fields: [field('amount', 'integer'), double] }
    const totals = range(count, (i) => field(`total${i}`, 'integer', { calc: 'sum', of: ['costs.double'] }))
    return [{ name: 'g', label: 'g', fields: [costs, ...totals] }]
  }
  const create = (label: string, issue_meta: unknown, more = {}) =>
    admin('caseTypes.create', { body: { label, service: 1, case_meta: [], issue_meta, ...more } })

  it('is refused where a save would keep others waiting', async () => {
    const { status, body } = await create('Too slow', form(900))
    expect([status, body]).toEqual([400, { issue_meta: [expect.stringContaining('This form is too slow')] }])
  })

  it('adds up as many rows as it may have, and refuses more for their number', async () => {
    const type = await create('Slow', form(100))
    expect(type.status).toBe(201)
    const { issue: id } = await createCase(advocate, type.body.id)
    const saveRows = (count: number, row: object) =>
      advocate('issues.update', {
        params: { id },
        body: { answers: { costs: range(count, (i) => ({ row: `${i}`, ...row })) } },
      })
    expect((await saveRows(100, { amount: 2 })).body.answers).toMatchObject({ total0: 400, total99: 400 })
    const refused = { status: 400, body: { 'answers.costs': ['costs must have at most 100'] } }
    expect(await saveRows(101, { amount: 2 })).toMatchObject(refused)
    expect(await saveRows(9000, { amount: 2 })).toMatchObject(refused)
  })
})

describe('a multipart body', () => {
  it.each([
    ['without a boundary', 'multipart/form-data', '--x\r\n'],
    [
      'that ends in the middle',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nhalf',
    ],
    ['that is none', 'multipart/form-data; boundary=x', 'words'],
  ])('%s is refused with words', async (_, type, body) => {
    const reply = await advocate.raw('/api/files', {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    })
    expect([reply.status, reply.body.message ?? reply.body.file]).toEqual([400, expect.anything()])
  })
})

describe('an address of this site', () => {
  it.each([
    '//evil',
    '/\\evil',
    '/\t/evil',
    '/\n/evil',
    '/\r\\evil',
    '\\evil',
    'https://evil',
    '/a\\..\\b',
    '/a\0',
    '/a?\n',
    '',
  ])('is not %j', (address) => expect(isLocal(address)).toBe(false))
  it.each(['/', '/cases/1', '/cases?term=a\\b&x=//y', '/cases#//x'])('is %j', (address) =>
    expect(isLocal(address)).toBe(true),
  )
  it('is all that a draft takes', async () => {
    const keep = (address: string) =>
      advocate('drafts.create', { body: { kind: 'case', payload: {}, address } })
    expect((await keep('/\t/evil')).body).toEqual({ address: ['Address must be an address of this site'] })
    expect((await keep('/case/client-info')).status).toBe(201)
  })
})

describe('a database without room', () => {
  it.each([
    ['53100', 'databaseFull', /^The database is full\./],
    ['53200', 'databaseBusy', /^The database has no memory left/],
  ])('%s is a 503 that says so', (code, name, words) => {
    const { statusCode, body } = asProblem(Object.assign(new Error('could not extend file'), { code }))
    expect([statusCode, body.code]).toEqual([503, name])
    expect(body.message).toMatch(words)
  })
})

describe('a slow body', () => {
  it('ends its request where it stalls or drips', async () => {
    const app = Fastify()
    endSlowBodies(app, { least: 100, window: 50 })
    app.post('/', async () => 'whole')
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n"',
    )
    const drip = setInterval(() => socket.write('a'), 10)
    let reply = ''
    socket.on('data', (data) => {
      reply += data
    })
    socket.on('error', () => undefined)
    await new Promise((ended) => socket.once('close', ended))
    clearInterval(drip)
    expect(reply).toMatch(/^HTTP\/1\.1 408 /)
    await app.close()
  })

  it('does not end a request whose handler takes its time', async () => {
    const app = Fastify()
    endSlowBodies(app, { least: 100, window: 20 })
    app.post('/', async () => {
      await new Promise((done) => setTimeout(done, 100))
      return 'whole'
    })
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const reply = await fetch(address, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect([reply.status, await reply.text()]).toEqual([200, 'whole'])
    await app.close()
  })

  it('has an end in any case', async () => {
    const app = await createApp({
      ...context.pools,
      databaseUrl: context.databaseUrl,
      contract: context.contract,
      settings: readSettings({ LOG_LEVEL: 'silent' }),
      web: resolve('dist/web'),
    })
    expect([app.server.requestTimeout, app.server.headersTimeout]).toEqual([REQUEST_TIMEOUT, 20_000])
    await app.close()
  })
})
