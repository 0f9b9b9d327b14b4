import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Check, Field, Group } from '../../src/contract/generated.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
let advocate: Caller
beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
})

const EARLY = 'First contact cannot be before the referral was received'

const save = async (id: number, answers: object) => {
  const { status, body } = await advocate('cases.update', { params: { id }, body: { answers } })
  return status === 200 ? 200 : body
}
/** Publishes the first case type with checks on 'First contact due'. */
const publishChecks = async (checks: Check[]) => {
  const { body } = await admin('caseTypes.read', { params: { id: 1 } })
  const changed = ({ name, attrs, ...field }: Field) =>
    name === 'first_contact_due' ? { name, attrs: { ...attrs, checks }, ...field } : { name, attrs, ...field }
  const case_meta = body.case_meta.map((g: Group) => ({ ...g, fields: g.fields.map(changed) }))
  return admin('caseTypes.update', { params: { id: 1 }, body: { version: body.version, case_meta } })
}
const beforeReferral: Check = {
  when: { first_contact_due: { max: { path: 'date_received' }, not: { path: 'date_received' } } },
  message: 'First contact is due after the referral',
}

describe('a pattern of a text', () => {
  const withPattern = async (pattern: object) => {
    const { body } = await admin('caseTypes.read', { params: { id: 1 } })
    const case_meta = body.case_meta.map((group: Group) => ({
      ...group,
      fields: group.fields.map((field) =>
        field.name === 'ward' ? { ...field, attrs: { ...field.attrs, pattern } } : field,
      ),
    }))
    return { ...body, case_meta }
  }
  const publishPattern = async (pattern: object) => {
    const { version, case_meta } = await withPattern(pattern)
    return admin('caseTypes.update', { params: { id: 1 }, body: { version, case_meta } })
  }
  const saveDraft = async (pattern: object) => {
    const { version, label, case_meta, issue_meta } = await withPattern(pattern)
    return admin('caseTypes.saveDraft', {
      params: { id: 1 },
      body: { rev: 0, base_version: version, label, case_meta, issue_meta },
    })
  }

  it('is published only where it can be used and matches its example, and refuses what it does not match', async () => {
    const wrong = await publishPattern({ matches: '(?=a)', example: 'a' })
    expect(wrong.status).toBe(400)
    expect(Object.values(wrong.body).flat()).toContainEqual(
      expect.stringMatching(/^The pattern of 'Ward or unit' cannot be used: /),
    )
    expect((await publishPattern({ matches: 'a' })).status).toBe(400)
    expect((await saveDraft({ matches: '', example: '' })).status).toBe(200)
    expect((await publishPattern({ matches: 'a', example: 'a', flags: 'i' })).status).toBe(400)
    expect((await publishPattern({ matches: '[A-Z] [0-9]+', example: 'A 1' })).status).toBe(200)
    const { id } = await createCase(advocate, 1)
    expect(await save(id, { ward: 'a 1' })).toMatchObject({
      'answers.ward': ['Ward or unit must be like A 1'],
    })
    expect(await save(id, { ward: 'B 12' })).toBe(200)
  })
})

describe('checks of answers', () => {
  it('refuse what breaks them, also where what they look at is sent alone', async () => {
    const { id } = await createCase(advocate, 1)
    expect(await save(id, { date_received: '2026-02-02', first_contact_made: '2026-02-01' })).toMatchObject({
      'answers.first_contact_made': [EARLY],
    })
    expect(await save(id, { date_received: '2026-02-01', first_contact_made: '2026-02-01' })).toBe(200)
    expect(await save(id, { date_received: '2026-02-02' })).toMatchObject({
      'answers.first_contact_made': [EARLY],
    })
    expect(await save(id, { date_received: '2026-02-02', first_contact_made: null })).toBe(200)
  })

  it('are published only where they name fields and say something', async () => {
    const wrong = await publishChecks([
      { when: { first_contact_due: { max: { path: 'nothing' } } }, message: 'No' },
      { when: beforeReferral.when, message: ' ' },
    ])
    expect(wrong.status).toBe(400)
    const { message: _, ...errors } = wrong.body
    expect(Object.values(errors).flat()).toEqual([
      "This condition compares 'First contact due' with 'nothing', but there is no such field; choose another or remove it",
      'Say what is wrong while this condition holds',
    ])
    for (const when of [
      { first_contact_due: { path: 1 } },
      { first_contact_due: { path: 'a', set: true } },
      {},
    ])
      expect((await publishChecks([{ when: when as never, message: 'No' }])).status).toBe(400)
    const many = Array.from({ length: 11 }, () => beforeReferral)
    expect((await publishChecks(many)).status).toBe(400)
  })

  it('of a new version mark the records that break them and refuse them only when changed', async () => {
    const { id } = await createCase(advocate, 1)
    expect(await save(id, { date_received: '2026-02-02', first_contact_due: '2026-02-01' })).toBe(200)
    expect((await publishChecks([beforeReferral])).status).toBe(200)
    await vi.waitFor(
      async () => {
        const { rows } = await sql<{ invalid_fields: string[] }>`
          select invalid_fields from cases where id = ${id}`.execute(context.db)
        expect(rows[0].invalid_fields).toEqual(['first_contact_due'])
      },
      { timeout: 15_000 },
    )
    expect(await save(id, { place_name: 'Elm House' })).toBe(200)
    expect(await save(id, { date_received: '2026-02-03' })).toMatchObject({
      'answers.first_contact_due': [beforeReferral.message],
    })
    expect(await save(id, { date_received: '2026-01-03' })).toBe(200)
  })
})
