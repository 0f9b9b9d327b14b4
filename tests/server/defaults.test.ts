import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Field, Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { type Caller, describeServer } from './context.ts'
import { newCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
let advocate: Caller
beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
})

const field = (name: string, type: Field['type'], attrs: object): Field => ({
  name,
  label: name,
  type,
  attrs: attrs as Field['attrs'],
})

async function publish(...fields: Field[]) {
  const { body } = await admin('caseTypes.read', { params: { id: 1 } })
  const group = { name: 'defaults', label: 'Defaults', fields }
  const others = (body.case_meta as Group[]).filter(({ name }) => name !== group.name)
  return admin('caseTypes.update', {
    params: { id: 1 },
    body: { version: body.version, case_meta: [...others, group] },
  })
}

describe('the defaults of a new case', () => {
  it('are given to what is hidden alone, once, whatever is sent', async () => {
    const published = await publish(
      field('home', 'postcode', { hidden: true, default: { from: '$client.postcode' }, report: true }),
      field('writer', 'select', { hidden: true, default: { from: '$user.id' }, lookup: 'staff' }),
      field('where_to', 'postcode', { default: { from: '$client.postcode' } }),
    )
    expect(published.status).toBe(200)
    const body = await newCase(advocate)
    const made = await advocate('cases.create', {
      body: {
        ...body,
        client: { ...(body.client as Values), postcode: 'SW1A 1AA' },
        case: { ...(body.case as Values), answers: { ...answersIn(body), home: 'M1 1AE', writer: 1 } },
      },
    })
    expect(made.status).toBe(201)
    const read = async () => (await advocate('cases.read', { params: { id: made.body.id } })).body
    const { answers } = await read()
    expect(answers).toMatchObject({ home: 'SW1A 1AA', writer: await idOf('advocate') })
    expect(answers).not.toHaveProperty('where_to')

    await sql`update clients set postcode = 'M1 1AE' where id = ${made.body.client}`.execute(context.db)
    const saved = await advocate('cases.update', {
      params: { id: made.body.id },
      body: { answers: { where_to: 'M1 1AE', home: 'B1 1BB' } },
    })
    expect(saved.status).toBe(200)
    expect((await read()).answers).toMatchObject({ home: 'SW1A 1AA', where_to: 'M1 1AE' })
  })

  it('are checked at a publication, and their shape too', async () => {
    expect(
      await publish(field('home', 'postcode', { default: { from: '$client.shoe_size' } })),
    ).toMatchObject({
      status: 400,
      body: { [await at('default.from')]: [expect.stringContaining('there is no such field')] },
    })
    expect(await publish(field('home', 'postcode', { default: { from: 'client.postcode' } }))).toMatchObject({
      status: 400,
      body: { [await at('default.from')]: ['is not written in the right form'] },
    })
    expect((await publish(field('home', 'postcode', { default: { of: [1] } }))).status).toBe(400)
    expect((await publish(field('home', 'postcode', { hidden: true }))).status).toBe(400)
  })
})

function answersIn(body: Values): Values {
  return (body.case as { answers: Values }).answers
}

async function idOf(name: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from staff where username = ${name}`.execute(
    context.db,
  )
  return rows[0].id
}

/** The path of an attribute of the first field that `publish` adds. */
async function at(attribute: string): Promise<string> {
  const { body } = await admin('caseTypes.read', { params: { id: 1 } })
  const groups = body.case_meta as Group[]
  const others = groups.filter(({ name }) => name !== 'defaults').length
  return `case_meta.${others}.fields.0.attrs.${attribute}`
}
