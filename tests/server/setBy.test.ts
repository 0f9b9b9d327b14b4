import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allows } from '../../src/contract/access.ts'
import { callOf, verbOf } from '../../src/contract/call.ts'
import type { Entity } from '../../src/contract/generated.ts'
import { missingSetRule, SCOPE_FIELDS } from '../../src/contract/setBy.ts'
import { scoped } from '../../src/server/access/scope.ts'
import { callerOf } from '../../src/server/access/session.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase, newCase } from './newCase.ts'

const WRITERS = [
  'admin',
  'manager',
  'partnermanager',
  'hubmanager',
  'hub',
  'advocate',
  'volunteer',
  'partner',
  'commissioner',
]
const EVERYBODY = WRITERS
const MANAGERS = ['manager', 'partnermanager', 'hubmanager']
/** Who may change a field that decides who sees a record; what is not named here nobody may. */
const MAY_UPDATE: Record<string, string[]> = {
  'case.contract': ['admin', ...MANAGERS],
  'activity.commissioning_contract': WRITERS,
  // A view is changed by its owner only.
  'savedView.shared': EVERYBODY,
  'task.assignee': ['admin', ...MANAGERS],
  'staff.groups': ['admin'],
  'staff.services': ['admin'],
  'staff.contracts': ['admin'],
  'staff.hub': ['admin'],
  'staff.line_manager': ['admin'],
}

const context = describeServer()
let admin: Caller
let made: { id: number; client: number; issue: number }
/** A record of each entity with a scope. */
let records: Record<string, number>
beforeAll(async () => {
  admin = await context.as('admin')
  await sql`insert into lookup (kind, value, label) values ('hub', 1, 'Hub')`.execute(context.db)
  made = await createCase(admin)
  const { rows } = await sql<{
    id: number
  }>`insert into referral_requests (hub, from_hub, service) values (1, 2, 1)
    returning id`.execute(context.db)
  const add = async (name: string, id: number, body: object) =>
    (await admin(name, { params: { id }, body })).body.id as number
  records = {
    ...{ client: made.client, case: made.id, caseMonitoring: made.id },
    ...{ issue: made.issue, issueMonitoring: made.issue, staff: (await context.as('stranger')).id },
    action: await add('actions.addToIssue', made.issue, { type: 1, done_on: '2026-02-02' }),
    activity: await add('activities.create', 0, {
      type: 1,
      commissioning_contract: 1,
      done_on: '2026-02-02',
    }),
    task: await add('tasks.create', 0, { title: 'Ring', due: '2026-02-02', issue: made.issue }),
    risk: await add('risks.create', made.client, { type: 1 }),
    referralRequest: rows[0].id,
    communicationIssue: await add('communicationIssues.create', made.client, { type: 1 }),
  }
})

/** Puts the records into somebody's scope, whatever their role: they made them. */
async function give(me: Caller) {
  const below = ['risks', 'communication_issues', 'signposts']
  for (const table of ['clients', 'cases', 'issues', 'actions', 'tasks', 'activities', ...below])
    await sql`update ${sql.table(table)} set created_by = ${me.id}`.execute(context.db)
}

const scopeFieldsOf = ({ properties }: Entity) => SCOPE_FIELDS.filter((name) => name in properties)
const mayCall = (me: { groups: number[] }, name: string) =>
  allows(context.contract.roles, context.contract.endpoints[name].roles, me.groups)

/** Calls of a kind that are given an entity's fields, with the entity. */
function callsThat(verb: 'create' | 'update'): { name: string; entity: Entity }[] {
  return Object.entries(context.contract.endpoints).flatMap(([name, endpoint]) => {
    const isWriting = callOf(endpoint).method === (verb === 'create' ? 'POST' : 'PATCH')
    const by = verbOf(endpoint)
    const id = by?.verb === verb ? by.entity : isWriting ? endpoint.writes : undefined
    const entity = context.contract.entities[id ?? '']
    return entity?.scope ? [{ name, entity }] : []
  })
}

describe('the fields that decide who sees a record', () => {
  it('are all those that the rules of scope read, of records and of the person', async () => {
    const me = (await callerOf({ ...context, settings: readSettings({}) }, admin.key))!.caller
    const everyRole = { ...me, groups: [2, 3, 4, 5, 6, 7, 8, 9], readsContracts: true }
    const read = Object.values(context.contract.entities).flatMap((entity) => {
      if (!entity.scope || !entity.table) return []
      const { sql: text } = sql`select from t r where ${scoped(entity, everyRole)}`.compile(context.db)
      return [...text.matchAll(/"(?:r|p|i|k|o|pi|pk|pc|g)"\."(\w+)"/g)].map(([, column]) => column)
    })
    const ofPerson = Object.keys(me).filter((name) => name in context.contract.entities.staff.properties)
    // The view of work_facts sets `kind`, that of the worklist `task`, and the server sets `action` of an audit event and the case of a referral.
    // It also sets what is invalid, whose a note about a referral is, who asks whom about a client, and of which comment on
    // a field a notice is.
    const own = ['is_invalid', 'note_of', 'asked_by', 'asked_of', 'field_comment']
    const known = [...SCOPE_FIELDS, 'id', 'kind', 'action', 'task', 'from_case', ...own]
    // Names and status say who somebody is and whether they may sign in, not what they see.
    const about = ['username', 'first_name', 'last_name', 'email', 'status']
    expect(
      [...new Set([...read, ...ofPerson])].filter((name) => ![...known, ...about].includes(name)),
    ).toEqual([])
  })

  it('say who sets them', () => {
    for (const { entity } of [...callsThat('create'), ...callsThat('update')])
      for (const name of scopeFieldsOf(entity))
        expect([entity.$id, name, missingSetRule(entity.properties[name])]).toEqual([
          entity.$id,
          name,
          undefined,
        ])
  })
})

describe.each(EVERYBODY)('%s', (username) => {
  let me: Caller
  let groups: number[]
  const newValues: Record<string, () => unknown> = {
    advocate: () => me.id,
    assignee: () => me.id,
    contract: () => 13,
    commissioning_contract: () => 2,
    groups: () => [6],
    services: () => [2],
    contracts: () => [2],
    hub: () => 1,
    line_manager: () => admin.id,
    shared: () => 'team',
  }
  beforeAll(async () => {
    me = await context.as(username)
    const { rows } = await sql<{ groups: number[] }>`select groups from staff where id = ${me.id}`.execute(
      context.db,
    )
    groups = rows[0].groups
    const draft = { kind: 'case', title: 'New case', payload: {} }
    records.draft = (await me('drafts.create', { body: draft })).body.id
    const view = { screen: 'draft-cases', name: 'Mine' }
    records.savedView = (await me('savedViews.create', { body: view })).body.id
  })
  beforeEach(async () => {
    await give(me)
    await sql`update cases set contract = 1 where id = ${made.id}`.execute(context.db)
    await sql`update tasks set assignee = null`.execute(context.db)
    await sql`update activities set commissioning_contract = 1`.execute(context.db)
    await sql`update staff set groups = '{4}', services = '{4}', contracts = '{}', hub = null, line_manager = null
      where id = ${records.staff}`.execute(context.db)
  })

  it('updates of them only what their role may', async () => {
    for (const { name, entity } of callsThat('update')) {
      const id = records[entity.$id]
      for (const field of scopeFieldsOf(entity)) {
        const stored = async () => {
          const { rows } =
            await sql`select to_jsonb(r) -> ${field} as value from ${sql.table(entity.table!)} r
            where ${sql.ref(entity.key ?? 'id')} = ${id}`.execute(context.db)
          return JSON.stringify(rows[0])
        }
        const before = await stored()
        const value = newValues[field]?.() ?? 1
        const { status, body } = await me(name, { params: { id }, body: { [field]: value } })
        const may = MAY_UPDATE[`${entity.$id}.${field}`]?.includes(username) ?? false
        const expected = may ? 200 : mayCall({ groups }, name) ? 400 : 403
        expect([name, field, status, body]).toEqual([name, field, expected, body])
        if (expected === 400) expect(Object.keys(body)).toEqual([field])
        expect([name, field, (await stored()) !== before]).toEqual([name, field, may])
      }
    }
  })

  it('sets none of them at creation that is not theirs to set', async () => {
    for (const { name, entity } of callsThat('create')) {
      const { by } = context.contract.endpoints[name]
      for (const field of scopeFieldsOf(entity).filter((one) => entity.properties[one].readOnly)) {
        const given = { params: { id: records[by ?? ''] ?? made.issue }, body: { [field]: 1 } }
        const { status, body } = await me(name, given)
        const title = entity.properties[field].title
        if (!mayCall({ groups }, name)) expect([name, field, status]).toEqual([name, field, 403])
        else expect([name, field, body]).toEqual([name, field, { [field]: [`${title} cannot be set here`] }])
      }
    }
  })
})

describe('the advocate of a new issue', () => {
  let other: Caller
  beforeAll(async () => {
    other = await context.as('volunteer')
  })
  /** What each way to add an issue replies, the first error of the advocate where it is refused. */
  const add = async (me: Caller, advocate: unknown): Promise<unknown[]> => {
    const body = await newCase(me)
    const issue = { ...(body.issue as object), advocate }
    const created = await me('cases.create', { body: { ...body, issue } })
    const added = await me('cases.addIssue', { params: { id: made.id }, body: issue })
    return [created.body['issue.advocate']?.[0] ?? created.status, added.body.advocate?.[0] ?? added.status]
  }
  const both = (one: unknown) => [one, one]

  it.each(MANAGERS)('is anybody who works on it, named by %s', async (username) => {
    const me = await context.as(username)
    await give(me)
    expect(await add(me, other.id)).toEqual(both(201))
    const stranger = (await context.as('stranger')).id
    await sql`update staff set contracts = '{999}' where id = ${other.id}`.execute(context.db)
    for (const id of [stranger, admin.id, other.id])
      expect(await add(me, id)).toEqual(both('Advocate must be one of the choices'))
    await sql`update staff set contracts = '{}' where id = ${other.id}`.execute(context.db)
  })

  it.each(['hub', 'advocate', 'partner'])('is %s or nobody, where they add it', async (username) => {
    const me = await context.as(username)
    await give(me)
    expect(await add(me, other.id)).toEqual(both('Advocate must be yourself or nobody'))
    expect(await add(me, me.id)).toEqual(both(201))
    expect(await add(me, null)).toEqual(both(201))
    await sql`update staff set contracts = '{999}' where id = ${me.id}`.execute(context.db)
    expect(await add(me, me.id)).toEqual(both('Advocate must be one of the choices'))
    await sql`update staff set contracts = '{}' where id = ${me.id}`.execute(context.db)
  })

  it('is nobody where an administrator adds it', async () => {
    expect(await add(admin, other.id)).toEqual(both('Advocate cannot be set here'))
    expect(await add(admin, admin.id)).toEqual(both('Advocate cannot be set here'))
    expect(await add(admin, null)).toEqual(both(201))
  })
})

describe('assigning an issue', () => {
  const assign = async (username: string, advocate: number) =>
    (await context.as(username))('issues.assign', { params: { id: made.issue }, body: { advocate } })

  it.each(EVERYBODY)('is done by managers alone: %s', async (username) => {
    await give(await context.as(username))
    const { status } = await assign(username, (await context.as('advocate')).id)
    expect(status).toBe(MANAGERS.includes(username) ? 200 : 403)
  })

  it('to somebody who does not work on its service and contract is refused', async () => {
    await give(await context.as('manager'))
    const { status, body } = await assign('manager', (await context.as('stranger')).id)
    expect([status, body]).toEqual([400, { advocate: ['Advocate must be one of the choices'] }])
  })

  it('is not undone through its history', async () => {
    const changes = JSON.stringify({ advocate: { from: admin.id, to: null } })
    const { rows } = await sql<{
      id: number
    }>`insert into audit (staff, action, entity, record, version, changes, issue, "case", client)
      values (${admin.id}, 'update', 'issue', ${made.issue}, 99, ${changes}::jsonb, ${made.issue}, ${made.id}, ${made.client})
      returning id`.execute(context.db)
    const { status, body } = await admin('chronology.restore', {
      params: { id: rows[0].id },
      body: { field: 'advocate' },
    })
    expect([status, body]).toEqual([400, { advocate: ['Advocate cannot be set here'] }])
  })
})
