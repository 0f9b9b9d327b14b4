import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import xlsx from 'xlsx'
import { today } from '../../src/server/core/today.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const now = today('Europe/London')
const context = describeServer()
let advocate: Caller
let made: { id: number; client: number; issue: number }
beforeAll(async () => {
  advocate = await context.as('advocate')
  made = await createCase(advocate, 1, { client: { first_name: '=1+1', last_name: 'Example' } })
})

async function sheet(path: string): Promise<{ names: string[]; rows: unknown[][]; formulas: unknown[] }> {
  const reply = await fetch(context.address + path, {
    headers: { authorization: `Token ${advocate.key}`, accept: '*/*' },
  })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    200,
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ])
  const book = xlsx.read(Buffer.from(await reply.arrayBuffer()))
  const { data } = book.Sheets
  const cells = Object.values(data) as { f?: string }[]
  return {
    names: book.SheetNames,
    rows: xlsx.utils.sheet_to_json<unknown[]>(data, { header: 1 }),
    formulas: cells.filter((cell) => cell?.f),
  }
}

describe('a list as an Excel file', () => {
  it('has one sheet, all columns that are useful to a reader, and labels for choices', async () => {
    const { names, rows } = await sheet('/cases/?format=xlsx')
    const { caseRow } = context.contract.entities
    const [heads, row] = rows
    expect(names).toEqual(['data'])
    expect(heads).toContain(caseRow.properties.client_name.title)
    expect(heads).not.toContain('Version')
    expect(row).toContain('=1+1 Example')
    expect(row).toContain('IMCA - contract A1')
  })

  it('has the columns asked for, in that order, under the labels of the contract', async () => {
    const { rows, formulas } = await sheet('/cases/?format=xlsx&columns=state,client_name,contract')
    const titles = ['state', 'client_name', 'contract'].map(
      (name) => context.contract.entities.caseRow.properties[name].title,
    )
    expect(rows).toEqual([titles, ['Open', '=1+1 Example', 'IMCA - contract A1']])
    expect(formulas).toEqual([])
  })

  it.each([
    ['admin', '/api_admin/core/gender/list/', 'gender'],
    ['admin', '/api_admin/core/sfg_ooc/list/', 'safeguarding-outcome'],
    ['admin', '/staff/list/', 'management'],
    ['manager', '/api/staff/{me}/issues', 'issues'],
    ['advocate', '/cases/', 'cases'],
  ])('of %s at %s is named after the list, who asked for it and the day: %s', async (who, path, name) => {
    const { id, headers } = await context.as(who)
    const reply = await fetch(`${context.address}${path.replace('{me}', String(id))}?format=xlsx`, {
      headers,
    })
    expect([reply.status, reply.headers.get('content-disposition')]).toEqual([
      200,
      `attachment; filename="${name}-by-${who}-example-on-${now}.xlsx"`,
    ])
  })

  it('says in its properties what it was narrowed by, and in its name of which days it is', async () => {
    const manager = await context.as('manager')
    const file = async (path: string) => {
      const reply = await fetch(context.address + path, {
        headers: { authorization: `Token ${manager.key}` },
      })
      const { Props } = xlsx.read(Buffer.from(await reply.arrayBuffer()))
      return [reply.headers.get('content-disposition')?.split('"')[1], Props?.Title, Props?.Subject]
    }
    expect(await file('/cases/?format=xlsx&urgent=true&service=1&client=Ex')).toEqual([
      `cases-by-manager-example-on-${now}.xlsx`,
      'Cases',
      'Urgent: Yes; Service: Independent Mental Capacity Advocacy (IMCA); Client: Ex',
    ])
    expect(await file('/cases/?format=xlsx')).toEqual([
      `cases-by-manager-example-on-${now}.xlsx`,
      'Cases',
      'No filters',
    ])
    expect(await file('/api/staff/old-cases?format=xlsx&end=2026-01-31')).toEqual([
      `old-cases-until-2026-01-31-by-manager-example-on-${now}.xlsx`,
      'Old Cases',
      'To: 31 January 2026',
    ])
    expect(await file(`/client/${made.client}/signposting/?format=xlsx`)).toEqual([
      `signposting-by-manager-example-on-${now}.xlsx`,
      'Signposting',
      `ID: ${made.client}`,
    ])
  })

  it('cuts a text that is too long for a cell of Excel', async () => {
    const { issue, id } = await createCase(advocate)
    const desired_outcomes = Array.from({ length: 20 }, () => ({ details: 'x'.repeat(1990) }))
    const saved = await advocate('issues.update', { params: { id: issue }, body: { desired_outcomes } })
    expect(saved.status).toBe(200)
    const { rows } = await sheet(`/api/cases/${id}/chronology?format=xlsx&columns=changes`)
    const [text] = rows.flat().filter((cell) => String(cell).includes('xxx')) as string[]
    expect([text.length, text.slice(-9)]).toEqual([32_767, 'xx… (cut)'])
  })

  it('is refused with a column that the list does not have', async () => {
    for (const columns of ['client_name,password_hash', 'clint_name', '__proto__']) {
      const { status, body } = await advocate.raw(`/cases/?format=xlsx&columns=${columns}`)
      expect([status, Object.keys(body)]).toEqual([400, ['columns']])
    }
    const { body } = await advocate.raw('/cases/?format=xlsx&columns=clint_name')
    expect(body.columns[0]).toMatch(/no field 'clint_name' in .*client_name/)
  })

  it('holds what the person may see, and is audited', async () => {
    const stranger = await context.as('stranger')
    const reply = await fetch(`${context.address}/cases/?format=xlsx&columns=id`, {
      headers: { authorization: `Token ${stranger.key}` },
    })
    const book = xlsx.read(Buffer.from(await reply.arrayBuffer()))
    expect(xlsx.utils.sheet_to_json(book.Sheets.data)).toEqual([])
    const { rows } =
      await sql`select entity from audit where action = 'export' and staff = ${stranger.id}`.execute(
        context.db,
      )
    expect(rows).toEqual([{ entity: 'caseRow' }])
  })

  it('holds the chosen rows only, of those that the person may see', async () => {
    const second = await createCase(advocate)
    const hidden = await createCase(await context.as('admin'))
    await sql`update issues set advocate = (select id from staff where username = 'partner')
      where id = ${hidden.issue}`.execute(context.db)
    const { rows } = await sheet(`/cases/?format=xlsx&columns=id&ids=${second.id},${hidden.id}`)
    expect(rows).toEqual([['Case'], [second.id]])
    const { rows: audited } = await sql<{ changes: object }>`select changes from audit
      where action = 'export' and staff = ${advocate.id} order by id desc limit 1`.execute(context.db)
    expect(audited[0].changes).toEqual({ rows: { from: null, to: 1 } })
    // A list that no verb makes is narrowed too.
    const { rows: old } = await sheet(`/api/staff/me/time_report?format=xlsx&ids=${second.id}`)
    expect(old).toHaveLength(1)
  })

  it('is refused with rows that are not ids, or too many of them', async () => {
    const many = Array.from({ length: 501 }, (_, i) => i + 1).join()
    const admin = await context.as('admin')
    for (const ids of ['1,x', '1;drop', '-1', many, '1,,2']) {
      const { status, body } = await admin.raw(`/cases/?format=xlsx&ids=${encodeURIComponent(ids)}`)
      expect([status, Object.keys(body)]).toEqual([400, ['ids']])
    }
  })

  it('is offered for lists only, and cannot be used to change records', async () => {
    expect((await advocate.raw(`/case/${made.id}/?format=xlsx`)).status).toBe(400)
    const { status, body } = await advocate.raw(`/case/${made.id}/retire/?format=xlsx`)
    expect([status, body]).toEqual([400, { format: ['is not a parameter of this call'] }])
    expect((await advocate.raw(`/case/${made.id}/`)).body.status).toBe(1)
  })
})
