import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Values } from '../../src/contract/when.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type Caller, startTestServer, type TestContext } from './context.ts'
import { CASE_TYPE, createReferralForm, ESSEX, NINE, publicReferrals, SERVICE } from './publicReferrals.ts'

let context: TestContext
let folder: string
let admin: Caller
let form: { id: number; version: number }
beforeAll(async () => {
  folder = temporaryFolder('public-')
  context = await startTestServer({ TRUST_PROXY: 'true', DATA_DIR: folder })
  form = await createReferralForm(context)
  admin = await context.as('admin')
})
beforeEach(() => sql`delete from caller_count`.execute(context.db))
afterAll(async () => {
  await context?.end()
  rmSync(folder, { recursive: true, force: true })
})

const { switchTo } = publicReferrals(() => ({ context, folder }))

describe('an administrator', () => {
  const update = (values: Values) => admin('referralForms.update', { params: { id: form.id }, body: values })

  it('reads the address to pass on', async () => {
    const { body: found } = await admin('referralForms.read', { params: { id: form.id } })
    expect(found).toMatchObject({ address: `${context.address}/refer/4`, hub_label: 'East' })
    const { body: list } = await admin('referralForms.list')
    expect(list.data).toEqual([expect.objectContaining({ address: `${context.address}/refer/4` })])
  })

  it('switches none on without a hub, or whose case type asks nothing, is retired or of another service', async () => {
    const add = (values: Values) =>
      admin('referralForms.create', { body: { service: 1, case_type: 1, hub: 1, status: 1, ...values } })
    const wrong: [Values, string][] = [
      [{}, 'case_type'],
      [{ case_type: CASE_TYPE }, 'case_type'],
      [{ hub: null }, 'hub'],
      [{ hub: 99 }, 'hub'],
      [{ case_type: null }, 'case_type'],
      [{ service: SERVICE, case_type: CASE_TYPE }, 'service'],
    ]
    for (const [values, field] of wrong) {
      const reply = await add(values)
      expect([values, reply.status, Object.keys(reply.body)]).toEqual([values, 400, [field]])
    }
    expect((await add({ status: 2 })).status).toBe(201)
    const [{ id }] = (await admin('referralForms.list')).body.data.filter((f: Values) => f.service === 1)
    const reply = await admin('referralForms.update', { params: { id }, body: { status: 1 } })
    expect(reply.body.case_type).toEqual([expect.stringMatching(/^It asks nothing yet/)])
    expect((await admin('referralForms.read', { params: { id } })).body.status).toBe(2)
  })

  it('keeps a case type from being retired while it is switched on', async () => {
    const retire = () => admin('caseTypes.retire', { params: { id: CASE_TYPE } })
    const refused = { status: [expect.stringMatching(/^The public referral form of .+ uses this case type/)] }
    expect(await retire()).toMatchObject({ status: 400, body: refused })
    const { body: before } = await admin('referralForms.read', { params: { id: form.id } })
    await sql`update referral_forms set case_type = 1,
      routes = jsonb_build_array(jsonb_build_object('council_area', 3, 'hub', 1, 'case_type', ${CASE_TYPE}::int))
      where id = ${form.id}`.execute(context.db)
    expect(await retire()).toMatchObject({ status: 400, body: refused })
    await switchTo(2)
    expect((await retire()).status).toBe(200)
    await admin('caseTypes.offer', { params: { id: CASE_TYPE } })
    await sql`update referral_forms set case_type = ${CASE_TYPE}, routes = ${JSON.stringify(before.routes)}::jsonb
      where id = ${form.id}`.execute(context.db)
    await switchTo(1)
  })

  it('sends no council area to two places', async () => {
    const route = { council_area: ESSEX, hub: 2 }
    const { status, body: errors } = await update({
      routes: [
        { row: 'a', ...route },
        { row: 'b', ...route },
      ],
    })
    expect([status, Object.keys(errors)]).toEqual([400, ['routes.1.council_area']])
    expect(Object.keys((await update({ routes: [{ row: 'a', council_area: 3 }] })).body)).toEqual([
      'routes.0.hub',
    ])
  })

  it('is the only one who does, and what they do is audited', async () => {
    for (const name of NINE.filter((one) => one !== 'admin')) {
      const who = await context.as(name)
      expect([name, (await who('referralForms.list')).status]).toEqual([name, 403])
      expect((await who('referralForms.update', { params: { id: form.id }, body: {} })).status).toBe(403)
    }
    await update({ intro: 'We help' })
    const { rows } = await sql<{ action: string; changes: Values }>`select action, changes from audit
      where entity = 'referralForm' and record = ${form.id} order by id`.execute(context.db)
    expect(rows).toEqual([
      { action: 'create', changes: null },
      { action: 'update', changes: { intro: { from: null, to: 'We help' } } },
    ])
  })
})
