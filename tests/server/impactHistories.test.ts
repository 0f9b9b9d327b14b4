import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { addDays } from '../../src/contract/days.ts'
import type { Automation, Deadline } from '../../src/contract/generated.ts'
import { today as dayOf } from '../../src/server/core/today.ts'
import { type Random, seeded } from '../../src/server/ops/demo/random.ts'
import { FULL } from '../full.ts'
import { type Caller, describeServer } from './context.ts'
import { evaluated } from './evaluated.ts'
import { createCase, newCase } from './newCase.ts'

// A person counts an impact at most twelve times a minute.
const ROUNDS = FULL ? 12 : 6
const SAVES = 12
/** The shipped case type of paid representatives, which has visits, an authorisation and automations. */
const RPR = 6
const ACTIONS = [1, 4, 6]

const context = describeServer()
const today = dayOf('Europe/London')
const ago = (days: number) => addDays(today, -days)
const on = (id: unknown, body?: object) => ({ params: { id }, ...(body && { body }) })
let admin: Caller
let advocate: Caller
let manager: Caller
const made: { id: number; client: number; issue: number }[] = []

async function begunAgo(random: Random): Promise<void> {
  const body = await newCase(advocate, RPR)
  const { case: caseRecord, issue } = body as Record<string, { answers: object }>
  const one = await createCase(advocate, RPR, {
    case: {
      ...caseRecord,
      answers: {
        ...caseRecord.answers,
        visit_every_weeks: random.between(1, 8),
        authorised_from: ago(300),
        authorised_to: addDays(today, random.between(-40, 60)),
      },
    },
    issue: { ...issue, start_date: ago(random.between(0, 120)) },
  })
  await sql`update issues set advocate = ${advocate.id} where id = ${one.issue}`.execute(context.db)
  made.push(one)
}

beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
  manager = await context.as('manager')
  const random = seeded(3)
  for (let i = 0; i < 8; i++) await begunAgo(random)
})

/** Something that people do with a record; what is refused does not matter. */
async function doSomething(random: Random): Promise<void> {
  const { id, client, issue } = random.pick(made)
  const deadlineOf = async (open: boolean) =>
    (
      await sql<{
        id: number
      }>`select id from deadlines where issue = ${issue} and is_open = ${open} limit 1`.execute(context.db)
    ).rows[0]?.id
  const things: (() => Promise<unknown>)[] = [
    () => advocate('issues.update', on(issue, { answers: random.pick(ANSWERS) })),
    () => advocate('cases.update', on(id, { answers: { visit_every_weeks: random.between(1, 8) } })),
    () =>
      advocate(
        'cases.update',
        on(id, { answers: { authorised_to: addDays(today, random.between(-40, 60)) } }),
      ),
    () =>
      advocate('actions.create', {
        body: { issue, type: random.pick(ACTIONS), done_on: ago(random.between(0, 60)), time_taken: 0 },
      }),
    async () => manager('deadlines.excuse', on(await deadlineOf(true), { reason: 'Not needed' })),
    () => manager('issues.close', on(issue, { reasons: [1] })),
    () => manager('issues.reopen', on(issue, { reason: 'Again' })),
    () => manager('issues.retire', on(issue)),
    () => manager('issues.unretire', on(issue)),
    () => manager('cases.retire', on(id)),
    () => manager('cases.unretire', on(id)),
    () => advocate('clients.update', on(client, { dob: random.pick(['1950-01-01', null]) })),
  ]
  await random.pick(things)()
}
const ANSWERS = [
  { sfg_concern: 'yes', sfg_category: [1], sfg_dsl_level: 1 },
  { sfg_concern: 'no' },
  { report_needed: 'yes', waiting_for_papers: 'yes' },
  { waiting_for_papers: 'no' },
  { sfg_ooc: 1 },
  { sfg_ooc: null },
  { summary: 'Some words' },
  { summary: null },
]

/** Switched off, or on again. */
function switched<T extends Automation | Deadline>({ is_on, ...one }: T): T {
  return (is_on === false ? one : { ...one, is_on: false }) as T
}

function spanOf(random: Random) {
  return { [random.pick(['days', 'weeks', 'working_days', 'months'])]: random.between(1, 9) }
}

function changedDeadlines(random: Random, deadlines: Deadline[], round: number): Deadline[] {
  const changed = deadlines.flatMap((one): Deadline[] => {
    const { at, every, within } = one
    if (random.chance(0.5)) return [one]
    return random.pick<() => Deadline[]>([
      () => [switched(one)],
      () => (deadlines.length > 3 ? [] : [one]),
      () => [{ ...one, warn: spanOf(random) } as Deadline],
      () => [
        {
          ...one,
          ...(every && { every: spanOf(random) }),
          ...(within && { within: spanOf(random) }),
        } as Deadline,
      ],
      () => (at ? [one] : [{ ...one, met_by: { actions: [random.pick(ACTIONS)] } }]),
      () => (at ? [one] : [{ ...one, paused: { when: { waiting_for_papers: 'yes' } } }]),
      () => (at ? [one] : [{ ...one, until: '$case.authorised_to' } as Deadline]),
      () => (one.of === 'issue' ? [{ ...one, when: { sfg_concern: { not: 'yes' } } } as Deadline] : [one]),
      () => [{ ...one, label: `${one.label}!` }],
    ])()
  })
  const added: Deadline = {
    name: `deadline_${round}`,
    label: `Deadline ${round}`,
    of: 'issue',
    from: 'record.start_date',
    ...(random.chance(0.5) ? { every: spanOf(random) } : { within: spanOf(random) }),
    met_by: { actions: [random.pick(ACTIONS)] },
  } as Deadline
  return random.chance(0.5) ? [...changed, added] : changed
}

function changedAutomations(
  random: Random,
  automations: Automation[],
  deadlines: Deadline[],
  round: number,
): Automation[] {
  const own = deadlines.filter((one) => one.of === 'issue')
  const whens = [
    { sfg_concern: 'yes' },
    { summary: { set: true } },
    { 'record.is_opened': false },
    { 'with.client.dob': { set: true } },
    ...own.map(({ name }) => ({ [`deadline.${name}`]: random.pick(['late', 'soon', 'met']) })),
  ]
  const names = new Set(deadlines.map(({ name }) => `deadline.${name}`))
  const isAbout = (one: Automation) =>
    Object.keys(one.when ?? {}).every((path) => !path.startsWith('deadline.') || names.has(path))
  const changed = automations.filter(isAbout).flatMap((one): Automation[] => {
    if (random.chance(0.6)) return [one]
    return random.pick<() => Automation[]>([
      () => [switched(one)],
      () => (automations.length > 4 ? [] : [one]),
      () => (one.of === 'issue' ? [{ ...one, when: random.pick(whens) } as Automation] : [one]),
      () => [{ ...one, while: 'open' }],
      () => [{ ...one, label: `${one.label}!` }],
    ])()
  })
  const added = {
    name: `automation_${round}`,
    label: `Automation ${round}`,
    of: 'issue',
    when: random.pick(whens),
    ...(random.chance(0.3) && { while: 'open' }),
    then: [
      { alert: 'It holds', level: 'info' },
      ...(random.chance(0.5)
        ? [{ hold: random.pick(['retire', 'purge', 'merge']), text: 'It is held' }]
        : []),
    ],
  } as Automation
  return random.chance(0.7) ? [...changed, added] : changed
}

interface State {
  key: string
  name: string
  is_open: boolean
}
interface Due {
  key: string
  name: string
  seq: number
  due: string
  state: string
}

/** What is stored: states by record, and rows of deadlines. */
async function snapshot() {
  const { rows: states } =
    await sql<State>`select s.name, coalesce('issue ' || s.issue, 'case ' || s."case") || ' ' || s.name as key,
      case when s.issue is null then exists (select from issues i where i."case" = s."case" and i.is_opened and i.status = 1)
        else (select i.is_opened from issues i where i.id = s.issue) end as is_open
    from automation_states s where s.case_type = ${RPR}`.execute(context.db)
  const { rows: due } =
    await sql<Due>`select name, seq, coalesce('issue ' || issue, 'case ' || "case") || ' ' || name as key,
      to_char(due, 'YYYY-MM-DD') as due, deadline_state(deadlines, ${today}::date) as state
    from deadlines where case_type = ${RPR}`.execute(context.db)
  const open = due.filter(({ state }) => ['due', 'soon', 'late'].includes(state))
  return {
    states: new Map(states.map((one) => [one.key, one])),
    open: new Map(open.map((one) => [one.key, one])),
    all: due,
  }
}
type Snapshot = Awaited<ReturnType<typeof snapshot>>

function automationsOf(name: string, before: Snapshot, after: Snapshot) {
  const own = (states: Snapshot['states']) => [...states.values()].filter((one) => one.name === name)
  const [was, now] = [own(before.states), own(after.states)]
  return {
    name,
    holds: now.length,
    closed: now.filter(({ is_open }) => !is_open).length,
    begins: now.filter(({ key }) => !before.states.has(key)).length,
    ends: was.filter(({ key }) => !after.states.has(key)).length,
    now: was.length,
  }
}

function deadlinesOf(name: string, before: Snapshot, after: Snapshot) {
  const own = (open: Snapshot['open']) => [...open.values()].filter((one) => one.name === name)
  const [was, now] = [own(before.open), own(after.open)]
  const wasOf = ({ key }: Due) => before.open.get(key)
  const over = was.filter(({ key }) => !after.open.has(key))
  const isMet = ({ key, seq }: Due) =>
    after.all.some((row) => row.key === key && row.seq === seq && ['met', 'excused'].includes(row.state))
  const turned = now.filter((one) => one.state === 'late' && wasOf(one)?.state !== 'late')
  return {
    name,
    open: now.length,
    soon: now.filter(({ state }) => state === 'soon').length,
    late: now.filter(({ state }) => state === 'late').length,
    added: now.filter((one) => !wasOf(one)).length,
    earlier: now.filter((one) => one.due < (wasOf(one)?.due ?? '')).length,
    later: now.filter((one) => one.due > (wasOf(one)?.due ?? '9')).length,
    met: over.filter(isMet).length,
    gone: over.filter((one) => !isMet(one)).length,
    turnsLate: turned.length,
    moved: now.filter((one) => one.due !== wasOf(one)?.due || turned.includes(one)).length + over.length,
  }
}

it('counts what the publication then does to states and deadlines, after random histories', async () => {
  const random = seeded(11)
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < SAVES; i++) await doSomething(random)
    await evaluated(context)
    const { version, automations, deadlines } = (await admin('caseTypes.read', on(RPR))).body
    const drafted = changedDeadlines(random, deadlines, round)
    const draft = {
      deadlines: drafted,
      automations: changedAutomations(random, automations, drafted, round),
    }
    const impact = await admin('automations.impact', on(RPR, draft))
    expect(impact.status, JSON.stringify(impact.body)).toBe(200)
    const before = await snapshot()
    const reply = await admin(
      'caseTypes.update',
      on(RPR, { version, ...draft, tests: [], publish_anyway: 'A trial' }),
    )
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    await evaluated(context)
    const after = await snapshot()
    expect(impact.body.automations, `round ${round}`).toEqual(
      impact.body.automations.map(({ name }: { name: string }) => automationsOf(name, before, after)),
    )
    expect(impact.body.deadlines, `round ${round}`).toEqual(
      impact.body.deadlines.map(({ name }: { name: string }) => deadlinesOf(name, before, after)),
    )
  }
})
