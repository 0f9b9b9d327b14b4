import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { callOf, isWrite } from '../../src/contract/call.ts'
import { FULL } from '../full.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
beforeAll(async () => {
  admin = await context.as('admin')
})

const send = (method: string, path: string) =>
  fetch(context.address + path, { method, headers: { ...admin.headers, accept: 'application/json' } })

it('answers HEAD like GET without a body, wherever GET changes nothing', async () => {
  const reads = Object.values(context.contract.endpoints)
    .filter((endpoint) => callOf(endpoint).method === 'GET' && !isWrite(endpoint))
    .map((endpoint) => callOf(endpoint).path.replaceAll(/\{\w+\}/g, '1'))
  const lookups = Object.values(context.contract.lookups).map(({ path }) => path)
  expect(reads.length).toBeGreaterThan(80)
  const all = [...reads, ...lookups, '/openapi.json']
  for (const path of all.filter((_, i) => FULL || i % 4 === 0)) {
    const head = await send('HEAD', path)
    expect([path, await head.text()]).toEqual([path, ''])
    if (path.endsWith('/stream')) {
      expect([path, head.status]).toEqual([path, 200])
      continue
    }
    const get = await send('GET', path)
    await get.arrayBuffer()
    expect([path, head.status]).toEqual([path, get.status])
  }
})

it('changes nothing by HEAD where GET retires or purges', async () => {
  const { client, id, issue } = await createCase(admin)
  const writes = Object.values(context.contract.endpoints).filter(
    (endpoint) => callOf(endpoint).method === 'GET' && isWrite(endpoint),
  )
  expect(writes.length).toBeGreaterThan(5)
  for (const endpoint of writes) {
    const { path } = callOf(endpoint)
    const number = path.includes('client') ? client : path.includes('issue') ? issue : id
    const reply = await send('HEAD', path.replaceAll(/\{\w+\}/g, String(number)))
    expect([path, reply.status, reply.headers.get('allow')]).toEqual([path, 405, 'GET'])
  }
  const { rows } = await sql`select c.status as client, k.status as kase, i.status as issue from clients c
    join cases k on k.client = c.id join issues i on i."case" = k.id where c.id = ${client}`.execute(
    context.db,
  )
  expect(rows).toEqual([{ client: 1, kase: 1, issue: 1 }])
})
