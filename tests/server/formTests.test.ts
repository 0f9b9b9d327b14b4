import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FormTest, Group } from '../../src/contract/generated.ts'
import { type Caller, describeServer } from './context.ts'

const context = describeServer()
let admin: Caller
let id: number
let version: number
beforeAll(async () => {
  admin = await context.as('admin')
})

const yesno = (name: string, label: string) => ({ name, label, type: 'yesno' as const, attrs: {} })
const ward = { name: 'ward', label: 'Ward', type: 'text' as const, attrs: { when: { urgent: 'yes' } } }
const form = (...fields: Group['fields']): Group[] => [
  { name: 'one', label: 'One', fields: [yesno('urgent', 'Urgent'), ...fields] },
]
const test: FormTest = {
  name: 'Urgent asks for the ward',
  meta: 'case_meta',
  given: { urgent: 'yes' },
  as: { today: '2026-06-04' },
  expect: { visible: ['ward'], required: [], errors: {} },
}
const always = { ...ward, attrs: { when: { urgent: 'no' } } }
const MESSAGE =
  "Test 'Urgent asks for the ward' fails: 'Ward' should be shown and is not. 'Ward' is shown only when 'Urgent' is No; 'Urgent' is now Yes."

const read = async (who = admin) => (await who('caseTypes.read', { params: { id } })).body
const publish = (body: object) => admin('caseTypes.update', { params: { id }, body: { version, ...body } })
const versions = async () => (await admin('caseTypes.versions', { params: { id } })).body
const lastAudit = async () => {
  const { rows } = await sql<{ changes: unknown }>`select changes from audit
    where entity = 'caseType' and record = ${id} and action = 'publish' order by id desc limit 1`.execute(
    context.db,
  )
  return rows[0].changes
}

/** Each test begins with a published case type of its own. */
let count = 0
beforeEach(async () => {
  const label = `Tested ${count++}`
  const body = { label, service: 1, case_meta: form(ward), issue_meta: [], tests: [test] }
  const made = await admin('caseTypes.create', { body })
  expect(made.status).toBe(201)
  ;({ id, version } = made.body)
})

describe('the tests of a case type', () => {
  it('are stored and read with it, by administrators alone', async () => {
    expect((await read()).tests).toEqual([test])
    expect((await read(await context.as('advocate'))).tests).toBeNull()
    const other = { ...test, name: 'Another' }
    const { body } = await publish({ tests: [test, other] })
    expect([body.version, body.tests]).toEqual([version + 1, [test, other]])
    expect((await publish({ version: body.version, tests: [test, other] })).body.version).toBe(body.version)
  })

  it('stand with each version, and stay as they are where a publication does not name them', async () => {
    await publish({ tests: [] })
    await publish({ version: version + 1, label: `Other ${id}` })
    expect((await read()).tests).toEqual([])
    const read1 = await admin('caseTypes.version', { params: { id, version } })
    expect(read1.body).toMatchObject({ tests: [test], published_anyway: '' })
    expect((await admin('caseTypes.version', { params: { id, version: version + 1 } })).body.tests).toEqual(
      [],
    )
  })

  it('are copied into a new case type that begins with this one', async () => {
    const begun = await admin('caseTypes.begin', { body: { label: `Copy ${id}`, service: 1, copy_of: id } })
    const draft = await admin('caseTypes.draft', { params: { id: begun.body.id } })
    expect(draft.body.tests).toEqual([test])
  })

  it.each([
    ['of another shape', [{ ...test, expected: 1 }], 'tests.0'],
    ['that are no list', { 0: test }, 'tests'],
    ['of no form', [{ ...test, meta: 'other' }], 'tests.0.meta'],
    ['of names that no field can have', [{ ...test, given: { 'No name': 1 } }], 'tests.0.given'],
    [
      'of which there are too many',
      Array.from({ length: 101 }, (_, i) => ({ ...test, name: `${i}` })),
      'tests',
    ],
    ['of which two have one name', [test, { ...test, name: ` ${test.name}` }], 'tests.1.name'],
  ])('%s are refused, also in a draft', async (_, tests, at) => {
    const published = await publish({ tests })
    expect([published.status, Object.keys(published.body)]).toEqual([400, [at]])
    const { case_meta, issue_meta, label } = await read()
    const forms = { label, case_meta, issue_meta, tests }
    const saved = await admin('caseTypes.saveDraft', {
      params: { id },
      body: { rev: 0, base_version: version, ...forms },
    })
    expect([saved.status, Object.keys(saved.body)]).toEqual([400, expect.arrayContaining([at])])
    expect((await admin('caseTypes.checkShape', { params: { id }, body: forms })).body.errors).toHaveProperty(
      [at],
    )
  })
})

describe('the draft of a case type', () => {
  const params = () => ({ id })
  const save = async (rev: number, more: object) => {
    const { label, issue_meta } = await read()
    const body = { rev, base_version: version, label, case_meta: form(), issue_meta, ...more }
    return (await admin('caseTypes.saveDraft', { params: params(), body })).body.rev as number
  }
  const tests = async () => (await admin('caseTypes.draft', { params: params() })).body.tests

  it('has the published tests until it has its own, and keeps those', async () => {
    const rev = await save(0, {})
    expect(await tests()).toEqual([test])
    const next = await save(rev, { tests: [] })
    expect(await tests()).toEqual([])
    await save(next, {})
    expect(await tests()).toEqual([])
    await admin('caseTypes.deleteDraft', { params: params() })
    await save(0, {})
    expect(await tests()).toEqual([test])
  })
})

describe('a publication whose forms fail a test', () => {
  it('is refused with the test, the field and the reason', async () => {
    const { status, body } = await publish({ case_meta: form(always) })
    expect([status, body]).toEqual([400, { 'tests.0': [MESSAGE] }])
    expect((await read()).version).toBe(version)
    const other = { label: `New ${id}`, service: 1, case_meta: form(always), tests: [test] }
    const made = await admin('caseTypes.create', { body: other })
    expect([made.status, made.body]).toEqual([400, { 'tests.0': [MESSAGE] }])
  })

  it('goes through where somebody says why, which stands in the history and in the audit', async () => {
    const { status, body } = await publish({
      case_meta: form(always),
      note: 'Wards changed',
      publish_anyway: ' The test is out of date ',
    })
    expect([status, body.version]).toEqual([200, version + 1])
    expect((await versions())[0]).toMatchObject({
      note: 'Wards changed',
      published_anyway: 'The test is out of date',
    })
    expect(await lastAudit()).toEqual({ published_anyway: { from: null, to: 'The test is out of date' } })
  })

  it.each([[''], ['  '], ['x'.repeat(501)], [true]])('is not let through by %j', async (publish_anyway) => {
    const { status, body } = await publish({ case_meta: form(always), publish_anyway })
    expect([status, Object.keys(body)]).toEqual([400, ['publish_anyway']])
  })

  it('does not keep the note where nothing fails', async () => {
    await publish({ label: `Fine ${id}`, publish_anyway: 'To be safe' })
    expect((await versions())[0].published_anyway).toBe('')
    expect(await lastAudit()).toBeNull()
  })
})
