import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { describeServer } from './context.ts'

const context = describeServer()

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

  it('shared with everybody is seen by all who may open its list, and only managers and administrators may', async () => {
    for (const who of ['admin', 'manager']) {
      expect((await save(who, { name: `Of ${who}, for all`, shared: 'all' })).status).toBe(201)
      for (const other of ['advocate', 'partner', 'hub', 'stranger', 'commissioner'])
        expect(await namesFor(other), other).toContain(`Of ${who}, for all`)
    }
    await save('admin', { screen: 'management', query: {}, name: 'Staff, for all', shared: 'all' })
    expect(await namesFor('advocate', 'management')).toEqual([])
    const refused = { shared: ['Only administrators and managers can share a view with everybody'] }
    expect((await save('advocate', { shared: 'all' })).body).toEqual(refused)
    const { body } = await save('advocate', { shared: 'team' })
    expect((await change('advocate', body.id, { shared: 'all' })).body).toEqual(refused)
  })

  it('is no longer seen once it is not shared any more', async () => {
    const { body } = await save('advocate', { name: 'For a while', shared: 'team' })
    expect(await namesFor('manager')).toContain('For a while')
    expect((await change('advocate', body.id, { shared: null })).status).toBe(200)
    expect(await namesFor('manager')).not.toContain('For a while')
  })

  it('is changed and deleted by its owner only, and others get a 403', async () => {
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

describe('saved views', () => {
  it('are at most 30 of a list and 100 in all, also where several are saved at once', async () => {
    const { id } = await context.as('hubmanager')
    const fill = (screen: string, count: number) =>
      sql`insert into saved_views (staff, screen, name)
      select ${id}, ${screen}, 'Filler ' || n from generate_series(1, ${count}::int) n`.execute(context.db)
    await fill(VIEW.screen, 28)
    const replies = await Promise.all(Array.from({ length: 6 }, () => save('hubmanager')))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400, 400, 400])
    const last = await save('hubmanager')
    expect(last.body).toEqual({
      name: ['You have 30 views of this list, which is the maximum: delete one first'],
    })
    for (const [screen, count] of [
      ['search-clients', 30],
      ['search-activities', 30],
      ['search-cases', 9],
    ] as const)
      await fill(screen, count)
    expect((await save('hubmanager', { screen: 'search-cases', query: {} })).status).toBe(201)
    expect((await save('hubmanager', { screen: 'search-cases', query: {} })).body).toEqual({
      name: ['You have 100 views, which is the maximum: delete one first'],
    })
    expect((await save('hub')).status).toBe(201)
  })

  it('by which a client is found go with the client, others stay', async () => {
    const manager = await context.as('manager')
    const { rows } = await sql<{
      id: number
    }>`insert into clients (first_name, last_name, dob, nhs_number, phone, postcode, status, created_by)
      values ('Zénobie', 'Quillfeather', '1931-05-06', '943 476 5919', '(01234) 567 890', 'QX9 9ZZ', 2, ${manager.id}) returning id`.execute(
      context.db,
    )
    const [{ id }] = rows
    const clients = 'search-clients'
    const views: [keep: boolean, content: object][] = [
      [false, { screen: clients, query: { term: 'quillfeather, zen' } }],
      [false, { screen: clients, query: { term: `${id}` } }],
      [false, { screen: clients, query: { nhs_number: '9434765919' } }],
      [false, { screen: clients, query: { phone: '01234567890', services: '1' } }],
      [false, { screen: clients, query: { postcode: 'qx99zz' } }],
      [false, { screen: clients, query: { dob_start: '1931-05-06' } }],
      [false, { query: { client: 'QUILL', type: '1' } }],
      [false, { name: 'For Zenobie Quillfeather', query: { type: '1' } }],
      [false, { screen: 'search-cases', query: { answers: '5.issue.organisation.contains.quillfeather' } }],
      [true, { screen: clients, query: { term: 'quillfeather, anna' } }],
      [true, { screen: clients, query: { postcode: 'qx' } }],
      [true, { screen: clients, query: { dob_start: '1931-05-07' } }],
      [true, { screen: clients, query: { services: `${id}` } }],
      [true, { screen: 'search-cases', query: { answers: '5.issue.organisation.contains.surgery' } }],
      [true, { screen: 'compose-issues', query: { service: `${id}`, start: '1931-05-06' } }],
    ]
    const saved = []
    for (const [keep, content] of views) {
      const { status, body } = await save('manager', content)
      expect([content, status]).toEqual([content, 201])
      saved.push({ keep, id: body.id })
    }
    expect((await manager('clients.purge', { params: { id } })).status).toBe(200)
    const { rows: left } = await sql<{ id: number }>`select id from saved_views`.execute(context.db)
    const isLeft = (view: { id: number }) => left.some((one) => one.id === view.id)
    expect(saved.map(isLeft)).toEqual(saved.map(({ keep }) => keep))
  })
})
