import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { automatedTypes } from '../../src/server/features/automations/automatedTypes.ts'
import { loadCases } from '../../src/server/features/automations/loadCases.ts'
import { stateChanges } from '../../src/server/features/automations/stateChanges.ts'
import { seeded } from '../../src/server/ops/demo/random.ts'
import { FULL } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { type Caller, describeServer } from './context.ts'
import { evaluated } from './evaluated.ts'
import { createCase } from './newCase.ts'

const ROUNDS = FULL ? 300 : 40

const context = describeServer()
let admin: Caller
let advocate: Caller
beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
})

const on = (id: unknown, body?: object) => ({ params: { id }, ...(body && { body }) })

/** Cases with two issues each. */
async function casesOfTwo(count: number) {
  const made: { id: number; client: number; issues: number[] }[] = []
  for (let i = 0; i < count; i++) {
    const { id, client, issue } = await createCase(advocate)
    const { issue_type, start_date, answers } = (await advocate('issues.read', on(issue))).body
    const other = await advocate('cases.addIssue', on(id, { issue_type, start_date, answers }))
    made.push({ id, client, issues: [issue, other.body.id] })
  }
  return made
}

/** What a fresh evaluation of all cases would change: nothing, if the stored states are right. */
async function differences(): Promise<number> {
  const loaded = await loadCases(context.db, sql`select id from cases`)
  const types = await automatedTypes(context.db, loaded)
  const names = {
    roleId: (name: string) => contract.roles.roles.find((role) => role.name === name)?.id,
  }
  return loaded
    .map((one) => stateChanges(one, types.get(one.type)!, names))
    .reduce((sum, { added, ended }) => sum + added.length + ended.length, 0)
}

async function concernsRecorded(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from automation_events
    where name = 'open_concern'`.execute(context.db)
  return rows[0].count
}

const CHANGES = [
  { sfg_concern: 'yes', sfg_category: [1], sfg_dsl_level: 1 },
  { sfg_concern: 'no' },
  { sfg_ooc: 1 },
  { sfg_ooc: null },
  { summary: 'Nothing to do with it' },
]

it('stores the states of a fresh evaluation, and an event each time that one begins, for random saves', async () => {
  const random = seeded(7)
  const cases = await casesOfTwo(3)
  const open = new Map<number, boolean>()
  let expected = await concernsRecorded()
  for (let round = 0; round < ROUNDS; round++) {
    const { issues } = random.pick(cases)
    const issue = random.pick(issues)
    const { status } = await advocate('issues.update', on(issue, { answers: random.pick(CHANGES) }))
    expect(status).toBe(200)
    const { answers } = (await advocate('issues.read', on(issue))).body
    const isOpen = answers.sfg_concern === 'yes' && answers.sfg_ooc === undefined
    if (isOpen && !open.get(issue)) expected += 1
    open.set(issue, isOpen)
  }
  expect(await differences()).toBe(0)
  expect(await concernsRecorded()).toBe(expected)
})

it('stores the states of a fresh evaluation after saves of the same case at once', async () => {
  const random = seeded(8)
  const [one] = await casesOfTwo(1)
  for (let round = 0; round < ROUNDS / 4; round++) {
    const saves = one.issues.map((issue) =>
      advocate('issues.update', on(issue, { answers: random.pick(CHANGES) })),
    )
    const statuses = (await Promise.all(saves)).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
  }
  expect(await differences()).toBe(0)
})

it('follows a publication without an event, and with events if the administrator wants them', async () => {
  const [one] = await casesOfTwo(1)
  await advocate('issues.update', on(one.issues[0], { answers: { summary: 'Unusual words' } }))
  const publish = async (name: string, fire_events: boolean | string[]) => {
    const { version, automations } = (await admin('caseTypes.read', on(1))).body
    const added = {
      name,
      label: 'Summary given',
      of: 'issue',
      when: { summary: { set: true } },
      then: [{ step: `Read the summary ${name}`, due: { days: 1 } }],
    }
    const reply = await admin(
      'caseTypes.update',
      on(1, { version, automations: [...automations, added], fire_events }),
    )
    expect(reply.status).toBe(200)
    await evaluated(context)
  }
  const steps = async () =>
    (
      await sql<{
        title: string
      }>`select title from tasks where issue = ${one.issues[0]} order by id`.execute(context.db)
    ).rows.map(({ title }) => title)
  await publish('first', false)
  expect([await differences(), await steps()]).toEqual([0, []])
  await publish('second', true)
  expect([await differences(), await steps()]).toEqual([0, ['Read the summary second']])
  await publish('third', ['second'])
  expect([await differences(), await steps()]).toEqual([0, ['Read the summary second']])
  await publish('fourth', ['fourth'])
  expect([await differences(), await steps()]).toEqual([
    0,
    ['Read the summary second', 'Read the summary fourth'],
  ])
})

it('fires events of automations that there are only', async () => {
  const { version } = (await admin('caseTypes.read', on(1))).body
  for (const fire_events of [['unknown'], 'first', [1]]) {
    const reply = await admin('caseTypes.update', on(1, { version, label: 'Another', fire_events }))
    expect([reply.status, Object.keys(reply.body)]).toEqual([400, ['fire_events']])
  }
})

it('stays quiet for a case that is saved before the job reaches it, but for what the save brings', async () => {
  const [one] = await casesOfTwo(1)
  const [issue] = one.issues
  await advocate('issues.update', on(issue, { answers: { summary: 'Unusual words' } }))
  const { version, automations } = (await admin('caseTypes.read', on(1))).body
  const added = [
    { name: 'by_version', when: { summary: { set: true } } },
    { name: 'by_choice', when: { summary: { set: true } } },
    { name: 'by_save', when: { sfg_concern: 'yes' } },
  ].map((each) => ({ ...each, label: each.name, of: 'issue', then: [{ step: each.name, due: { days: 1 } }] }))
  const reply = await admin('caseTypes.update', on(1, { version, automations: [...automations, ...added] }))
  expect(reply.status).toBe(200)
  await evaluated(context)
  // As if the job of the publication had not reached the case.
  await sql`delete from automation_states where "case" = ${one.id} and name in ('by_version', 'by_choice')`.execute(
    context.db,
  )
  await sql`insert into automation_changes ("case", automations) values (${one.id}, '{by_choice}')`.execute(
    context.db,
  )
  await advocate('issues.update', on(issue, { answers: CHANGES[0] }))
  const { rows } = await sql<{ name: string }>`select name from automation_events where issue = ${issue}
    and name like 'by%' order by name`.execute(context.db)
  expect(rows).toEqual([{ name: 'by_choice' }, { name: 'by_save' }])
  await evaluated(context)
  expect(await differences()).toBe(0)
})

it('ends the states of an automation that is switched off or removed', async () => {
  const { version, automations } = (await admin('caseTypes.read', on(1))).body
  const off = automations.map((one: object) => ({ ...one, is_on: false }))
  await admin('caseTypes.update', on(1, { version, automations: off }))
  await evaluated(context)
  const { rows } = await sql`select from automation_states where case_type = 1`.execute(context.db)
  expect(rows).toEqual([])
})
