import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { editableFields } from '../../src/contract/entity.ts'
import type { Field, Group } from '../../src/contract/generated.ts'
import { getIn, type Values } from '../../src/contract/when.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { fieldsFor, REFUSED, STORED } from './awkwardValues.ts'
import { goodRows, send, workbook } from './bulkFiles.ts'
import { bulkUploads, type GoodRows, type Upload } from './bulkUploads.ts'
import { type Caller, type Reply, startTestServer, type TestContext } from './context.ts'
import { createCase, newCase } from './newCase.ts'
import { PDF, upload } from './upload.ts'

const SERVICE = 1
/** Types that the cells of a repeat and of a spreadsheet have in the same form as a form. */
const inCells = ({ type }: { type: string }) => type !== 'contact'

let context: TestContext
let folder: string
let admin: Caller
let hub: Caller
let caseType: number
/** A case of that type, whose answers the paths change. */
let made: { id: number; client: number; issue: number }

const stored: Values = Object.fromEntries(STORED.map((one, i) => [`s${i}`, one.stored]))
const sent: Values = Object.fromEntries(STORED.map((one, i) => [`s${i}`, one.sent]))
const names = Object.keys(sent)
const cellNames = names.filter((_, i) => inCells(STORED[i]))
const row = (values: Values) => Object.fromEntries(cellNames.map((name) => [name, values[name]]))

beforeAll(async () => {
  folder = temporaryFolder('paths-')
  context = await startTestServer({ DATA_DIR: folder, TRUST_PROXY: 'true' })
  admin = await context.as('admin')
  hub = await context.as('hub')
  await sql`insert into lookup (kind, value, label) values ('hub', 1, 'East'), ('hub', 2, 'West') on conflict do nothing`.execute(
    context.db,
  )
  const group = (attrs = {}): Group => ({
    name: 'all',
    label: 'All',
    fields: [
      ...fieldsFor(STORED, 's', attrs),
      ...fieldsFor(REFUSED, 'r', attrs),
      {
        name: 'rows',
        label: 'Rows',
        type: 'repeat',
        attrs,
        fields: [...fieldsFor(STORED, 's').filter(inCells), ...fieldsFor(REFUSED, 'r')],
      },
    ],
  })
  const body = {
    label: 'Every type',
    service: SERVICE,
    case_meta: [group({ referral: true, report: true })],
    issue_meta: [group({ report: true })],
  }
  const reply = await admin('caseTypes.create', { body })
  expect([reply.status, reply.body]).toEqual([201, expect.objectContaining({ version: 1 })])
  caseType = reply.body.id
  made = await createCase(admin, caseType)
  const form = await admin('referralForms.create', {
    body: { service: SERVICE, case_type: caseType, hub: 1, status: 1, routes: [] },
  })
  expect([form.status, form.body]).toEqual([201, expect.anything()])
})
beforeEach(async () => {
  await sql`delete from caller_count`.execute(context.db)
  await sql`delete from call_count`.execute(context.db)
})
afterAll(async () => {
  await context?.end()
  rmSync(folder, { recursive: true, force: true })
})

/** Answers with the rows of a repeat. */
const withRows = (values: Values) => ({ ...values, rows: [{ row: 'a', ...row(values) }] })
const readCase = async (id: number) => (await admin('cases.read', { params: { id } })).body.answers
const readIssue = async (id: number) => (await admin('issues.read', { params: { id } })).body.answers
const only = (answers: Values, wanted: Values) =>
  Object.fromEntries(Object.keys(wanted).map((name) => [name, answers[name]]))

let sentSoFar = 0
/** A way of answers into a record: the stored answers, or the reply that refused them. */
type Path = (answers: Values) => Promise<{ answers?: Values; refusal?: Reply }>

async function bodyWith(part: 'case' | 'issue', answers: Values): Promise<Values> {
  const body = await newCase(admin, caseType)
  const record = body[part] as Values
  return { ...body, [part]: { ...record, answers: { ...(record.answers as Values), ...answers } } }
}

const PATHS: Record<string, Path> = {
  'a new case': async (answers) => {
    const reply = await admin('cases.create', { body: await bodyWith('case', answers) })
    return reply.status === 201 ? { answers: await readCase(reply.body.id) } : { refusal: reply }
  },
  'the issue of a new case': async (answers) => {
    const reply = await admin('cases.create', { body: await bodyWith('issue', answers) })
    return reply.status === 201 ? { answers: await readIssue(reply.body.issue) } : { refusal: reply }
  },
  'a further issue': async (answers) => {
    const { issue_type, start_date } = (await bodyWith('issue', {})).issue as Values
    const body = { issue_type, start_date, answers }
    const reply = await admin('cases.addIssue', { params: { id: made.id }, body })
    return reply.status === 201 ? { answers: await readIssue(reply.body.id) } : { refusal: reply }
  },
  'a change of a case': async (answers) => {
    const reply = await admin('cases.update', { params: { id: made.id }, body: { answers } })
    return reply.status === 200 ? { answers: await readCase(made.id) } : { refusal: reply }
  },
  'a change of an issue': async (answers) => {
    const reply = await admin('issues.update', { params: { id: made.issue }, body: { answers } })
    return reply.status === 200 ? { answers: await readIssue(made.issue) } : { refusal: reply }
  },
  'a draft that becomes a case': async (answers) => {
    const document = await bodyWith('case', answers)
    const draft = await admin('drafts.create', {
      body: { kind: 'case', address: '/case', title: 'x', payload: { document } },
    })
    const again = await admin('drafts.update', {
      params: { id: draft.body.id },
      body: { title: 'y', payload: draft.body.payload, version: draft.body.version },
    })
    const { body: read } = await admin('drafts.read', { params: { id: again.body.id } })
    const reply = await admin('cases.create', {
      body: read.payload.document,
      headers: { 'x-draft': String(read.id) },
    })
    return reply.status === 201 ? { answers: await readCase(reply.body.id) } : { refusal: reply }
  },
  'a public referral that becomes a case': async (answers) => {
    const stranger = await context.as()
    const body = {
      service: SERVICE,
      about: 'self',
      contact_by: ['phone'],
      contact_phone: '020 7946 0000',
      first_name: 'Pat',
      last_name: 'Public',
      reason: 'Help',
      answers,
    }
    const headers = { 'x-forwarded-for': `192.0.2.${++sentSoFar % 250}` }
    const referral = await stranger('publicReferrals.create', { body, headers })
    if (referral.status !== 201) return { refusal: referral }
    const { rows } = await sql<{
      id: number
    }>`select id from referral_requests order by id desc limit 1`.execute(context.db)
    const draft = await hub('referrals.accept', { params: { id: rows[0].id } })
    const { document } = draft.body.payload
    const minimal = await newCase(admin, caseType)
    const reply = await hub('cases.create', {
      body: { ...minimal, case: { ...(minimal.case as Values), ...document.case } },
      headers: { 'x-draft': String(draft.body.id) },
    })
    return reply.status === 201 ? { answers: await readCase(reply.body.id) } : { refusal: reply }
  },
}

describe.each(Object.keys(PATHS))('%s', (name) => {
  it('stores each value in its one form, also in the rows of a repeat', async () => {
    const { answers, refusal } = await PATHS[name](withRows(sent))
    expect([refusal?.status, refusal?.body]).toEqual([undefined, undefined])
    expect(only(answers!, withRows(stored))).toEqual(withRows(stored))
  })

  it('refuses a value of another type, by its field', async () => {
    for (const [i, { sent: wrong }] of REFUSED.entries())
      for (const answers of [{ [`r${i}`]: wrong }, { rows: [{ row: 'b', [`r${i}`]: wrong }] }]) {
        const { refusal } = await PATHS[name](answers)
        const at = Object.keys(answers)[0] === 'rows' ? `rows.0.r${i}` : `r${i}`
        const fields = Object.keys(refusal?.body ?? {})
        expect([wrong, refusal?.status, fields.map((path) => path.replace(/^.*answers\./, ''))]).toEqual([
          wrong,
          400,
          [at],
        ])
      }
  })
})

/** The same without control characters, which are an error of their cell in a file. */
const inFile = (value: unknown) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
  typeof value === 'string' ? value.replaceAll(/[\u0007\u0085]/g, '') : value

describe('a spreadsheet', () => {
  const { settled, apply, errorsOf, rowsOf } = bulkUploads(() => ({ context, hub, good: {} as GoodRows }))
  /** Columns of the form's fields, as the cells of a workbook or the lines of a CSV file. */
  const cellOf = (value: unknown, type: string) => {
    if (Array.isArray(value)) return value.join('; ')
    return type === 'duration' ? '01:30' : type === 'yesno' ? 'Y' : value
  }
  async function uploaded(kind: 'xlsx' | 'csv', headings: string[], rows: unknown[][]): Promise<Upload> {
    const head = [...(await required()).map(([heading]) => heading), ...headings]
    const examples = (await required()).map(([, example]) => example)
    const lines = [head, ...rows.map((cells) => [...examples, ...cells])]
    const csv = lines
      .map((line) => line.map((cell) => `"${String(cell ?? '').replaceAll('"', '""')}"`).join(','))
      .join('\r\n')
    const content = kind === 'csv' ? `\uFEFF${csv}` : workbook(lines)
    const reply = await send(hub, content, {
      name: `rows.${kind}`,
      case_type: String(caseType),
      check: 'true',
    })
    expect([reply.status, reply.body]).toEqual([201, expect.anything()])
    return settled(reply.body.data[0].id)
  }
  /** The required headings of the case type, each with a right cell. */
  async function required(): Promise<[string, unknown][]> {
    const good = await goodRows(hub, context.address, caseType)
    const cells = good.row('Sheet', `Person${performance.now()}`.replace('.', ''))
    return good.headings
      .map((heading, i): [string, unknown] => [heading, cells[i]])
      .filter(([heading]) => heading !== 'NHS number')
  }
  const headingOf = (field: Field) => `${field.label} (case)`

  it.each(['xlsx', 'csv'] as const)('of type %s stores each value in its one form', async (kind) => {
    const fields = fieldsFor(STORED, 's').filter(inCells)
    const upload = await uploaded(kind, fields.map(headingOf), [
      fields.map(({ name, type }) => cellOf(inFile(sent[name]), type)),
    ])
    expect([await errorsOf(upload.id), upload.state]).toEqual([[], 'ready'])
    await apply(upload.id)
    const [{ case: id }] = await rowsOf(upload.id)
    expect(only(await readCase(id), row(stored))).toEqual(row(stored))
  })

  it('refuses a value of another type, by its column', async () => {
    const dates = /\/50$/
    const wrong = fieldsFor(REFUSED, 'r').filter((_, i) => !dates.test(String(REFUSED[i].sent)))
    const cells = REFUSED.filter(({ sent: one }) => !dates.test(String(one))).map(({ sent: one }) => one)
    const upload = await uploaded('csv', wrong.map(headingOf), [cells])
    const { body } = await hub('bulk.errors', { params: { id: upload.id }, query: { page_size: 100 } })
    const columns = new Set(body.data.map((one: { column: string }) => one.column))
    expect([body.data.length, columns.size]).toEqual([cells.length, cells.length])
  })
})

describe('a save that is based on an old version', () => {
  it('has no conflict over the spelling of a value, and one over the value', async () => {
    const { client } = await createCase(admin, caseType)
    const params = { id: client }
    const { version } = (await admin('clients.read', { params })).body
    await admin('clients.update', { params, body: { phone: '01632 960001', known_as: "o'brien" } })
    const mine = { version, phone: '+44 1632 960001', known_as: 'O’Brien' }
    const saved = await admin('clients.update', { params, body: mine })
    expect([saved.status, saved.body]).toMatchObject([200, { phone: '+44 1632 960001', known_as: 'O’Brien' }])
    const refused = await admin('clients.update', { params, body: { version, phone: '020 7946 0000' } })
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([409, ['phone']])
    const item = { app: 'core', type: 'sp_type' }
    const added = await admin('admin.add', { params: item, body: { data: { label: 'Day centre' } } })
    const at = { ...item, id: added.body.id ?? added.body.data?.id }
    const first = (await admin('admin.form', { params: at })).body
    await admin('admin.change', { params: at, body: { data: { label: 'Day-Centre' } } })
    const body = { data: { label: ' day-centre ' }, version: first.version ?? first.data?.version }
    expect((await admin('admin.change', { params: at, body })).status).toBe(200)
  })
})

/** The texts of a record and how they are stored, by the type of the field. */
const AWKWARD = ' Zoe\u0308\u00A0 D’Arcy\u200B\u202E\u0007 '
const NORMAL = 'Zoë D’Arcy'
const BY_TYPE: Partial<Record<Field['type'], [sent: string, stored: string]>> = {
  text: [AWKWARD, NORMAL],
  textarea: [`${AWKWARD}\r\n two `, `Zoë\u00A0 D’Arcy \n two`],
  phone: ['01632–960001\u200B', '01632-960001'],
  postcode: ['cb74ae', 'CB7 4AE'],
  date: [' 2026-03-04\u200B', '2026-03-04'],
}
const BY_RULE: Record<string, [sent: string, stored: string]> = {
  email: [' Ann@example.org\u200B', 'Ann@example.org'],
  nhs_number: ['943–476–5919', '943 476 5919'],
}

/** Awkward values for the fields of an entity, and how they are stored. */
function textsOf(entity: string, without: string[] = []): { sent: Values; stored: Values } {
  const pairs = editableFields(context.contract.entities[entity]).flatMap(({ name, type, attrs }) => {
    const pair = (attrs?.rules ?? []).map((rule) => BY_RULE[rule]).find(Boolean) ?? BY_TYPE[type]
    return pair && !without.includes(name) ? [[name, ...pair] as const] : []
  })
  return {
    sent: Object.fromEntries(pairs.map(([name, one]) => [name, one])),
    stored: Object.fromEntries(pairs.map(([name, , one]) => [name, one])),
  }
}

describe('the texts of a record', () => {
  /** Each record with the call that adds it, and the one that changes it. */
  const RECORDS: [
    entity: string,
    add: string,
    change: string | null,
    more: () => Values,
    without?: string[],
  ][] = [
    ['action', 'actions.addToIssue', 'actions.update', () => ({ type: 1 }), ['next_due', 'next_done_on']],
    ['activity', 'activities.create', 'activities.update', () => ({ type: 1, commissioning_contract: 1 })],
    ['risk', 'risks.create', 'risks.update', () => ({ type: 1 })],
    ['communicationIssue', 'communicationIssues.create', 'communicationIssues.update', () => ({ type: 1 })],
    ['signpost', 'signposts.create', null, () => ({ sp_org: 2 })],
    ['task', 'tasks.create', 'tasks.update', () => ({ issue: made.issue })],
    ['consentText', 'consentTexts.create', null, () => ({})],
    [
      'staff',
      'staff.add',
      'staff.edit',
      () => ({ groups: [4], services: [1] }),
      ['username', 'leave_from', 'leave_to'],
    ],
  ]
  it.each(RECORDS)('%s are stored in their one form', async (entity, add, change, more, without) => {
    const { sent: texts, stored: normal } = textsOf(entity, without)
    expect(Object.keys(texts)).not.toEqual([])
    const ids: Record<string, number> = {
      action: made.issue,
      risk: made.client,
      communicationIssue: made.client,
      signpost: made.client,
    }
    const username = entity === 'staff' ? { username: 'u\u200Bnique' } : {}
    const added = await admin(add, {
      params: ids[entity] ? { id: ids[entity] } : {},
      body: { ...texts, ...username, ...more() },
    })
    expect([added.status, added.body]).toEqual([201, expect.objectContaining(normal)])
    if (!change) return
    const blank = Object.fromEntries(
      Object.entries(normal)
        .filter(([, value]) => value === NORMAL)
        .map(([name]) => [name, 'Other']),
    )
    const params = { id: added.body.id }
    await admin(change, { params, body: blank })
    const changed = await admin(change, { params, body: texts })
    expect([changed.status, changed.body]).toEqual([200, expect.objectContaining(normal)])
  })

  it('of a client are stored in their one form when a case is added and when they change', async () => {
    const { sent: texts, stored: normal } = textsOf('client', ['dod'])
    const { client } = await createCase(admin, 1, { client: texts })
    expect((await admin('clients.read', { params: { id: client } })).body).toMatchObject(normal)
    const params = { id: client }
    const other = {
      first_name: 'Other',
      last_name: 'Other',
      phone: '01234 567890',
      nhs_number: null,
      postcode: null,
    }
    expect((await admin('clients.update', { params, body: other })).status).toBe(200)
    const changed = await admin('clients.update', { params, body: texts })
    expect([changed.status, changed.body]).toEqual([200, expect.objectContaining(normal)])
    const contacts = await admin('clients.update', {
      params,
      body: { contacts: [{ name: AWKWARD, phone: '01632–960001', notes: AWKWARD }] },
    })
    expect(contacts.body.contacts).toMatchObject([
      { name: NORMAL, phone: '01632-960001', notes: 'Zoë\u00A0 D’Arcy' },
    ])
  })

  it('of a client are the same from the public form', async () => {
    const stranger = await context.as()
    const { sent: texts, stored: normal } = textsOf('publicReferral', ['website', 'answers'])
    const reply = await stranger('publicReferrals.create', {
      body: { ...texts, service: SERVICE, about: 'other', consent: 'yes', contact_by: ['phone', 'email'] },
    })
    expect([reply.status, reply.body]).toEqual([201, expect.anything()])
    const { rows } = await sql<Values>`select person, referrer, reason from referral_requests
      order by id desc limit 1`.execute(context.db)
    const { person, referrer, reason } = rows[0] as Record<string, Values>
    expect({ ...person, ...referrer, reason }).toMatchObject(normal)
  })

  it('of lists are the same typed, in a form with a file and in a spreadsheet', async () => {
    const label = async () =>
      (
        await sql<{
          label: string
        }>`select label from lookup where kind = 'sp_type' order by value desc limit 1`.execute(context.db)
      ).rows[0].label
    const at = { app: 'core', type: 'sp_type' }
    const added = await admin('admin.add', { params: at, body: { data: { label: AWKWARD } } })
    expect([added.status, await label()]).toEqual([201, NORMAL])
    const parts = new FormData()
    parts.append('label', `${AWKWARD} two`)
    const posted = await admin.raw('/api_admin/core/sp_type/add/', { method: 'POST', body: parts })
    expect([posted.status, await label()]).toEqual([201, `${NORMAL} two`])
    const sheet = workbook([['Label'], [inFile(`${AWKWARD} three`)]])
    const imported = await upload(admin, '/api_admin/core/sp_type/import/apply/', 'list.xlsx', sheet)
    expect([imported.status, await label()]).toEqual([200, `${NORMAL} three`])
    const csv = await upload(
      admin,
      '/api_admin/core/sp_type/import/apply/',
      'list.csv',
      inFile(`\uFEFFLabel\r\n"${AWKWARD} four"`) as string,
    )
    expect([csv.status, await label()]).toEqual([200, `${NORMAL} four`])
  })

  it('of documents, saved views, case types, drafts and messages are stored in their one form', async () => {
    const issue = { params: { id: made.issue } }
    const document = await upload(admin, `/issue/${made.issue}/file/`, `${AWKWARD}.pdf`, PDF)
    expect(document.body.name).toBe(`${NORMAL} .pdf`)
    const renamed = await admin('documents.rename', {
      params: { id: document.body.id },
      body: { name: `${AWKWARD} two.pdf` },
    })
    expect(renamed.body.name).toBe(`${NORMAL} two.pdf`)
    const view = await admin('savedViews.create', {
      body: { screen: 'search-actions', query: { type: '1' }, name: AWKWARD },
    })
    expect([view.status, view.body.name]).toEqual([201, NORMAL])
    for (const name of ['caseTypes.create', 'caseTypes.begin']) {
      const { status, body } = await admin(name, {
        body: {
          label: `${AWKWARD}${name}`,
          service: SERVICE,
          ...(name === 'caseTypes.create' && { case_meta: [], issue_meta: [], note: AWKWARD }),
        },
      })
      expect([status, body.label]).toEqual([201, `${NORMAL} ${name}`])
    }
    const { rows } = await sql<{
      note: string
    }>`select note from case_type_versions order by case_type desc limit 1`.execute(context.db)
    expect(rows[0].note).toBe('Zoë\u00A0 D’Arcy')
    const draft = await admin('drafts.create', { body: { kind: 'case', title: AWKWARD } })
    expect(getIn(draft.body, ['title'])).toBe(NORMAL)
    const asked = await admin('issues.askAllocation', { ...issue, body: { note: AWKWARD } })
    expect([asked.status, JSON.stringify(asked.body)]).toEqual([200, expect.stringContaining(NORMAL)])
  })
})
