import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goodRows, type Rows, readTemplate, send, workbook } from './bulkFiles.ts'
import { type Caller, startTestServer, type TestContext } from './context.ts'

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
/** The upload once no job works on it. */
async function settled(id: number, caller = hub) {
  let upload: Record<string, unknown> = {}
  await expect
    .poll(
      async () => {
        upload = (await caller('bulk.read', { params: { id } })).body
        return BUSY.includes(String(upload.state))
      },
      { timeout: 20_000 },
    )
    .toBe(false)
  return upload
}
/** Uploads rows below the good headings, to be checked. */
async function check(rows: Rows, more: Record<string, string> = {}) {
  const reply = await send(hub, workbook([good.headings, ...rows]), {
    case_type: '1',
    check: 'true',
    ...more,
  })
  expect([reply.status, reply.body]).toMatchObject([201, {}])
  return settled(reply.body.data[0].id)
}

describe('an upload of cases', () => {
  it('is checked, and adds the cases once somebody says so', async () => {
    const upload = await check([good.row('Ann', 'First'), good.row('Bea', 'Second')])
    const { body: errors } = await hub('bulk.errors', { params: { id: upload.id } })
    expect([upload.state, upload.ready, upload.wrong, errors.data]).toEqual(['ready', 2, 0, []])
  })
})
