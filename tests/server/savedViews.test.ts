import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestContext } from './context.ts'

let context: TestContext
beforeAll(async () => {
  context = await startTestServer()
})
afterAll(() => context?.end())

let count = 0
const VIEW = { screen: 'search-actions', query: { type: '1', start: '-7d', staff: 'me', sort: '-done_on' } }

async function save(who: string, content: object = {}) {
  const person = await context.as(who)
  return person('savedViews.create', { body: { ...VIEW, name: `View ${++count}`, ...content } })
}
async function namesFor(who: string, screen = VIEW.screen): Promise<string[]> {
  const { body } = await (await context.as(who))('savedViews.list', { query: { screen } })
  return body.data.map(({ name }: { name: string }) => name)
}
async function change(who: string, id: number, body: object) {
  return (await context.as(who))('savedViews.update', { params: { id }, body })
}

describe('a saved view', () => {
  it('is kept as it was sent, relative days and me too, and changed with its version', async () => {
    const { status, body } = await save('advocate', { name: 'Mine', columns: 'id,type_label' })
    expect([status, body]).toMatchObject([
      201,
      {
        ...VIEW,
        name: 'Mine',
        columns: 'id,type_label',
        shared: null,
        version: 1,
        owner_name: 'advocate Example',
      },
    ])
    const renamed = await change('advocate', body.id, { name: 'Ours', version: 1 })
    expect([renamed.status, renamed.body.name, renamed.body.version]).toEqual([200, 'Ours', 2])
    const stale = await change('advocate', body.id, { name: 'Theirs', version: 1 })
    expect([stale.status, stale.body.code]).toEqual([409, 'conflict'])
    const advocate = await context.as('advocate')
    expect((await advocate('savedViews.remove', { params: { id: body.id } })).status).toBe(204)
    expect(await namesFor('advocate')).not.toContain('Ours')
  })

  it('of one’s own is seen by nobody else, not even administrators', async () => {
    const { body } = await save('advocate', { name: 'Private' })
    for (const who of ['manager', 'volunteer', 'admin', 'partner', 'hub']) {
      expect(await namesFor(who), who).not.toContain('Private')
      expect((await change(who, body.id, { name: 'x' })).status, who).toBe(404)
    }
    expect(await namesFor('advocate')).toContain('Private')
  })

  it('shared with the team is seen above, below and beside its owner, and nowhere else', async () => {
    await save('advocate', { name: 'Of the team', shared: 'team' })
    await save('manager', { name: 'Of the manager', shared: 'team' })
    for (const who of ['advocate', 'manager', 'volunteer'])
      expect(await namesFor(who), who).toEqual(expect.arrayContaining(['Of the team', 'Of the manager']))
    // Nobody leads the others either: that they have no manager makes them no team.
    for (const who of ['admin', 'partner', 'partnermanager', 'hub', 'stranger', 'commissioner']) {
      expect(await namesFor(who), who).not.toContain('Of the team')
      expect(await namesFor(who), who).not.toContain('Of the manager')
    }
  })

  it('shared with the hub is seen in it, and by nobody who has none', async () => {
    await save('hub', { name: 'Of the hub', shared: 'hub' })
    await save('advocate', { name: 'Of no hub', shared: 'hub' })
    expect(await namesFor('hubmanager')).toContain('Of the hub')
    for (const who of ['advocate', 'manager', 'stranger'])
      expect(await namesFor(who)).not.toContain('Of the hub')
    for (const who of ['hub', 'hubmanager', 'stranger', 'manager'])
      expect(await namesFor(who), who).not.toContain('Of no hub')
  })

  it('is no longer seen once it is not shared any more', async () => {
    const { body } = await save('advocate', { name: 'For a while', shared: 'team' })
    expect(await namesFor('manager')).toContain('For a while')
    expect((await change('advocate', body.id, { shared: null })).status).toBe(200)
    expect(await namesFor('manager')).not.toContain('For a while')
  })

  it('is changed and deleted by its owner only, and others are told so', async () => {
    const { body } = await save('advocate', { name: 'Keep off', shared: 'team' })
    const manager = await context.as('manager')
    for (const reply of [
      await change('manager', body.id, { name: 'Taken' }),
      await manager('savedViews.remove', { params: { id: body.id } }),
    ])
      expect([reply.status, reply.body.message]).toEqual([
        403,
        'Only its owner can change or delete this view',
      ])
    expect(await namesFor('manager')).toContain('Keep off')
  })

  it('has a name of its own among one’s views of a list', async () => {
    await save('advocate', { name: 'Twice' })
    const { status, body } = await save('advocate', { name: 'twice' })
    expect([status, body]).toEqual([400, { name: ['You have a view of this name on this list already'] }])
    expect((await save('volunteer', { name: 'Twice' })).status).toBe(201)
  })

  it.each([
    [{ screen: 'nowhere' }, 'screen'],
    [{ screen: 'case' }, 'screen'],
    [{ screen: '__proto__' }, 'screen'],
    [{ screen: 'management' }, 'screen'],
    [{ query: { tipe: '1' } }, 'query'],
    [{ query: { type: 'many' } }, 'query'],
    [{ query: { start: 'soon' } }, 'query'],
    [{ query: { type: 1 } }, 'query'],
    [{ query: { type: 'me' } }, 'query'],
    [{ query: { sort: 'notes' } }, 'query'],
    [{ query: [] }, 'query'],
    [{ columns: 'done_on,password_hash' }, 'columns'],
    [{ columns: 'type_label,done_on' }, 'columns'],
    [{ columns: 'id,type_label,type_label' }, 'columns'],
    [{ columns: ['done_on'] }, 'columns'],
    [{ name: '' }, 'name'],
    [{ shared: 'everybody' }, 'shared'],
    [{ staff: 1 }, 'staff'],
  ])('is refused with %j, which names %s', async (content, field) => {
    const { status, body } = await save('advocate', content)
    expect([status, Object.keys(body)]).toEqual([400, [field]])
    expect(body[field][0]).toMatch(/\w{3,} \w+/)
  })

  it('is not shared with a free text or a person in it, neither at once nor later', async () => {
    const withText = { query: { client: 'Smith' } }
    const { status, body } = await save('advocate', { ...withText, shared: 'team' })
    expect([status, body]).toEqual([
      400,
      { shared: ['A view filtered by Client cannot be shared: it says something of one person'] },
    ])
    expect((await save('advocate', { query: { staff: '2' }, shared: 'hub' })).body).toHaveProperty('shared')
    const born = { screen: 'search-clients', query: { dob_start: '1950-01-01' }, shared: 'team' }
    expect((await save('advocate', born)).body).toHaveProperty('shared')
    const own = (await save('advocate', withText)).body
    expect((await change('advocate', own.id, { shared: 'team' })).body).toHaveProperty('shared')
    const shared = (await save('advocate', { shared: 'team' })).body
    expect((await change('advocate', shared.id, withText)).body).toHaveProperty('shared')
    expect((await change('advocate', shared.id, { ...withText, shared: null })).status).toBe(200)
  })

  it('of a list that somebody may not open is not theirs to see', async () => {
    await save('manager', { screen: 'allocations-required', query: {}, name: 'Waiting', shared: 'team' })
    expect(await namesFor('manager', 'allocations-required')).toContain('Waiting')
    expect(await namesFor('advocate', 'allocations-required')).toEqual([])
  })

  it('goes with its owner', async () => {
    const { rows } = await sql<{ rule: string }>`select confdeltype as rule from pg_constraint
      where conrelid = 'saved_views'::regclass and contype = 'f'`.execute(context.db)
    expect(rows).toEqual([{ rule: 'c' }])
  })
})
