import { describe, expect, it } from 'vitest'
import { registerRows } from '../../src/server/features/register/registerRows.ts'
import { contract } from '../loadedContract.ts'
import { describeServer } from './context.ts'

const context = describeServer()
const all = async (query: object = {}) => {
  const admin = await context.as('admin')
  return (await admin('register.list', { query: { page_size: 200, ...query } })).body
}

describe('the register of data', () => {
  it('has every stored field of every entity, each answered', () => {
    const rows = registerRows(contract)
    const stored = Object.values(contract.entities).filter(({ purpose }) => purpose)
    for (const { title, properties } of stored)
      for (const [name, property] of Object.entries(properties))
        if (!property.computed && !property.meta && !['id', 'version'].includes(name))
          expect(
            rows.some((row) => row.record === title && row.field === property.title),
            `${title}.${name}`,
          ).toBe(true)
    for (const row of rows) for (const text of Object.values(row)) expect(text).toMatch(/\w/)
  })

  it('says who sees a field, how long it stays and where it goes', async () => {
    const { data } = await all({ term: 'Client date of birth' })
    expect(data).toContainEqual({
      id: expect.any(Number),
      record: 'Client',
      field: 'Date of birth',
      purpose: expect.stringContaining('how old'),
      seen_by: expect.stringMatching(
        /^(All roles|System Administrator, ).*, of the records that each may see$/,
      ),
      kept: 'Until the client is purged, with everything below it.',
      goes_to: expect.stringMatching(/^Excel files of “Clients”.*; every referral to another hub$/),
    })
    expect((await all({ term: 'Client first name' })).data[0].goes_to).toBe(
      'Excel files of all lists that name clients; every referral to another hub',
    )
  })

  it('puts the values of settings into periods, and leaves none open', async () => {
    const { data, pagination } = await all({ term: 'signed in' })
    expect(data[0].kept).toBe('365 days.')
    expect(pagination.count).toBe(data.length)
    const first = await all()
    expect(first.data).toHaveLength(200)
    expect(JSON.stringify(first.data)).not.toMatch(/\{[A-Z_]+\}/)
  })

  it('has the questions of case types as they are published', async () => {
    const { data } = await all({ term: 'Case, Care' })
    expect(data.length).toBeGreaterThan(0)
    for (const { record } of data) expect(record).toMatch(/^Case, Care/)
  })

  it('says where an answer goes, also a sensitive one, and names the columns of rows', async () => {
    const { version, ...type } = (await (await context.as('admin'))('caseTypes.read', { params: { id: 1 } }))
      .body
    const question = (name: string, label: string, attrs: object = {}) => ({
      name,
      label,
      type: 'text',
      attrs: { is_on: true, ...attrs },
    })
    const relatives = {
      ...question('relatives', 'Relatives'),
      type: 'repeat',
      fields: [question('phone', 'Their telephone')],
    }
    const asked = (name: string) => ({
      name,
      label: 'Asked for the register',
      attrs: { is_on: true },
      fields: [
        question(`${name}_open`, 'Open answer'),
        question(`${name}_kept`, 'Sensitive answer', { sensitive: true }),
      ],
    })
    const of_case = asked('of_case')
    const body = {
      version,
      case_meta: [...type.case_meta, { ...of_case, fields: [...of_case.fields, relatives] }],
      issue_meta: [...type.issue_meta, asked('of_issue')],
    }
    const admin = await context.as('admin')
    expect((await admin('caseTypes.update', { params: { id: 1 }, body })).status).toBe(200)
    const goesTo = async (record: string, field: string) => {
      const { data } = await all({ term: `${record}, ${type.label} ${field}` })
      expect(data).toHaveLength(1)
      return data[0].goes_to
    }
    const [files, referral] = [
      'Excel files of the chronology',
      'a referral to another hub, if its sender chooses it',
    ]
    expect(await goesTo('Case', 'Open answer')).toBe(`${files}; ${referral}`)
    expect(await goesTo('Case', 'Sensitive answer')).toBe(`A${referral.slice(1)}`)
    expect(await goesTo('Issue', 'Open answer')).toBe(files)
    expect(await goesTo('Issue', 'Sensitive answer')).toBe('Nowhere')
    expect(await goesTo('Case', 'Relatives: Their telephone')).toBe(`${files}; ${referral}`)
  })

  it('is a file too, and for administrators alone', async () => {
    const admin = await context.as('admin')
    const file = await admin('register.list', { query: { format: 'xlsx' } })
    expect([file.status, file.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('spreadsheet'),
    ])
    expect((await (await context.as('manager'))('register.list')).status).toBe(403)
  })
})
