import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'

const TOMORROW = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)

const context = describeServer()
let advocate: Caller
beforeAll(async () => {
  advocate = await context.as('advocate')
})

describe('an activity', () => {
  const TALK = { type: 4, commissioning_contract: 1, done_on: '2026-02-10', time_taken: 3600 }

  it('is seen by its writer, their managers and the administrator', async () => {
    const partner = await context.as('partner')
    const { status, body } = await partner('activities.create', { body: TALK })
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ ...TALK, created_by: partner.id, group_label: 'Promotion and outreach' }),
    ])
    const readers = async (id: number) => {
      const seen: string[] = []
      for (const username of [
        'admin',
        'manager',
        'partnermanager',
        'hubmanager',
        'hub',
        'advocate',
        'partner',
        'commissioner',
      ]) {
        const person = await context.as(username)
        const { status } = await person('activities.read', { params: { id } })
        expect([200, 404]).toContain(status)
        if (username !== 'commissioner') {
          const change = await person('activities.update', { params: { id }, body: { notes: username } })
          expect([username, change.status]).toEqual([username, status])
        }
        if (status === 200) seen.push(username)
      }
      return seen
    }
    expect(await readers(body.id)).toEqual(['admin', 'partnermanager', 'partner'])
    const hub = await context.as('hub')
    const other = await hub('activities.create', { body: { ...TALK, commissioning_contract: 2 } })
    expect(await readers(other.body.id)).toEqual(['admin', 'hubmanager', 'hub'])
  })

  it('needs a type, a contract and a day that is not to come', async () => {
    const { status, body } = await advocate('activities.create', { body: { done_on: TOMORROW } })
    expect([status, Object.keys(body).sort()]).toEqual([400, ['commissioning_contract', 'done_on', 'type']])
  })

  it('stands in one’s own list, and the last one is offered for the next', async () => {
    const manager = await context.as('manager')
    expect((await manager('activities.last')).body).toEqual({})
    const { id } = (await manager('activities.create', { body: TALK })).body
    const { data, pagination } = (await manager('activities.mine')).body
    expect([data.map((row: { id: number }) => row.id), pagination.count]).toEqual([[id], 1])
    expect((await manager('activities.last')).body).toMatchObject({ id })
  })
})
