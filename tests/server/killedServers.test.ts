import { sql } from 'kysely'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { addDays } from '../../src/contract/days.ts'
import type { Field, Group } from '../../src/contract/generated.ts'
import { today } from '../../src/server/core/today.ts'
import { type Random, seeded } from '../../src/server/ops/demo/random.ts'
import { itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { type Caller, describeServer, signIn } from './context.ts'
import { evaluated } from './evaluated.ts'
import { createCase } from './newCase.ts'
import { type Product, startProduct } from './product.ts'
import { type MailServer, startMailServer } from './smtp.ts'

const KILLS = 12
const CASES = 3
/** Saves between two kills. */
const SAVES = 30

const context = describeServer()
let advocate: Caller
let mailServer: MailServer
/** Two servers on one database, and an advocate at each. */
const products: Product[] = []
const callers: Caller[] = []

beforeAll(async () => {
  advocate = await context.as('advocate')
  mailServer = await startMailServer()
  await sql`update staff set email = username || '@example.org'`.execute(context.db)
  // Mails are deleted once they are sent.
  await sql`create table queued (message_id uuid)`.execute(context.db)
  await sql`create function note_queued() returns trigger language plpgsql as $$
    begin insert into queued values (new.message_id); return new; end $$`.execute(context.db)
  await sql`create trigger note_queued after insert on mail_outbox for each row execute function note_queued()`.execute(
    context.db,
  )
  for (const place of [0, 1]) await start(place)
})
afterAll(async () => {
  for (const product of products)
    if (product.process.exitCode === null && product.process.signalCode === null) await product.end('SIGTERM')
  mailServer?.end()
})

async function start(place: number): Promise<void> {
  products[place] = await startProduct({
    DATABASE_URL: context.databaseUrl,
    POOL_SIZE: '7',
    SMTP_URL: mailServer.url,
    PUBLIC_URL: 'https://cases.example.org',
  })
  callers[place] = await signIn(contract, products[place].address, 'advocate')
}

const on = (id: unknown, body?: object) => ({ params: { id }, ...(body && { body }) })

/** Cases with two issues each. */
async function issuesOfCases(): Promise<number[]> {
  const issues: number[] = []
  for (let i = 0; i < CASES; i++) {
    const { id, issue } = await createCase(advocate)
    const { issue_type, start_date, answers } = (await advocate('issues.read', on(issue))).body
    const other = await advocate('cases.addIssue', on(id, { issue_type, start_date, answers }))
    issues.push(issue, other.body.id)
  }
  await sql`update issues set advocate = ${advocate.id}`.execute(context.db)
  return issues
}

const ANSWERS = [
  { sfg_concern: 'yes', sfg_category: [1], sfg_dsl_level: 1 },
  { sfg_concern: 'no' },
  { sfg_ooc: 1 },
  { sfg_ooc: null },
  {},
]

/** Saves answers, the day of the start and actions of issues from a hand each, at both servers in turn. */
function startHands(issues: number[], random: Random) {
  let isGoing = true
  const acknowledged: string[] = []
  const refusals: unknown[] = []
  const work = async (issue: number, hand: number) => {
    for (let i = 0; isGoing; i++) {
      const caller = callers[(hand + i) % 2]
      const isAction = random.chance(0.3)
      const summary = `save ${i} of ${issue}`
      const start_date = addDays(today('Europe/London'), -random.between(0, 40))
      const body = { start_date, answers: { ...random.pick(ANSWERS), summary } }
      const action = { type: 1, done_on: start_date }
      const reply = await (isAction
        ? caller('actions.addToIssue', on(issue, action))
        : caller('issues.update', on(issue, body))
      ).catch(() => undefined)
      if (!reply) continue
      if (![200, 201, 503].includes(reply.status)) refusals.push([reply.status, reply.body])
      else if (reply.status === 200 && !isAction) acknowledged.push(summary)
    }
  }
  const hands = issues.map(work)
  return {
    refusals,
    /** Waits for so many more saves. */
    save: (count: number) => {
      const enough = acknowledged.length + count
      return vi.waitUntil(() => acknowledged.length >= enough, { timeout: 60_000 })
    },
    stop: async () => {
      isGoing = false
      await Promise.all(hands)
      return acknowledged
    },
  }
}

/** What follows from the facts of records, as it is stored. */
async function stored(): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const table of [
    'automation_states',
    'automation_holds',
    'automation_events',
    'deadlines',
    'deadline_pauses',
    'work_notices',
    'work_notice_events',
    'tasks',
  ]) {
    const { rows } = await sql<{
      row: unknown
    }>`select to_jsonb(t) as row from ${sql.table(table)} t order by 1`.execute(context.db)
    found[table] = rows.map(({ row }) => row)
  }
  return found
}

/** How often each automation of issues has begun by the committed saves, by the audit. */
async function beginnings(issues: number[]): Promise<Record<string, number>> {
  const { rows } = await sql<{
    record: number
    changes: Record<string, { to: unknown }>
  }>`select record, changes from audit where entity = 'issue' and action = 'update' and record = any(${issues}::int[])
    order by id`.execute(context.db)
  const answers = new Map(issues.map((issue) => [issue, {} as Record<string, unknown>]))
  const count = { open_concern: 0, words: 0 }
  for (const { record, changes } of rows) {
    const before = answers.get(record)!
    const after = { ...before }
    for (const [name, { to }] of Object.entries(changes)) after[name] = to
    answers.set(record, after)
    if (isConcern(after) && !isConcern(before)) count.open_concern++
    if (after['answers.summary'] && !before['answers.summary']) count.words++
  }
  return count
}

function isConcern(answers: Record<string, unknown>): boolean {
  return answers['answers.sfg_concern'] === 'yes' && (answers['answers.sfg_ooc'] ?? null) === null
}

itInFull(
  'two servers that are killed under saves lose nothing that follows from them, and do nothing twice',
  async () => {
    const random = seeded(34)
    const issues = await issuesOfCases()
    const hands = startHands(issues, random)
    const admin = await signIn(contract, products[0].address, 'admin')
    for (let kill = 0; kill < KILLS; kill++) {
      await hands.save(SAVES)
      const place = kill % 2
      if (kill === 0) {
        const { version, automations } = (await admin('caseTypes.read', on(1))).body
        const words = {
          name: 'words',
          label: 'Summary given',
          of: 'issue',
          when: { summary: { set: true } },
          then: [{ step: 'Read the summary', due: { days: 1 } }],
        }
        const published = await admin(
          'caseTypes.update',
          on(1, { version, automations: [...automations, words], fire_events: true }),
        )
        expect(published.status).toBe(200)
      }
      await products[place].end('SIGKILL')
      await hands.save(SAVES / 2)
      await start(place)
    }
    await hands.save(SAVES)
    const acknowledged = await hands.stop()
    expect(hands.refusals).toEqual([])
    await evaluated(context)

    const { rows: saved } = await sql<{
      summary: string
    }>`select changes -> 'answers.summary' ->> 'to' as summary
    from audit where entity = 'issue' and action = 'update' and changes ? 'answers.summary'`.execute(
      context.db,
    )
    const summaries = saved.map(({ summary }) => summary)
    expect(acknowledged.filter((summary) => !summaries.includes(summary))).toEqual([])
    expect(summaries).toHaveLength(new Set(summaries).size)

    // An event each time that an automation began, with its step or its notice.
    const { rows: events } = await sql<{
      name: string
      events: number
      steps: number
      notices: number
    }>`select e.name, count(*)::int as events,
      sum((select count(*) from tasks t where t.event = e.id))::int as steps,
      sum((select count(*) from work_notice_events n where n.event = e.id))::int as notices
    from automation_events e where e.name in ('open_concern', 'words') group by e.name order by e.name`.execute(
      context.db,
    )
    const begun = await beginnings(issues)
    expect(begun.open_concern).toBeGreaterThan(0)
    expect(events).toEqual([
      {
        name: 'open_concern',
        events: begun.open_concern,
        steps: begun.open_concern,
        notices: begun.open_concern,
      },
      { name: 'words', events: begun.words, steps: begun.words, notices: 0 },
    ])

    const before = await stored()
    await sql`insert into automation_changes ("case") select id from cases`.execute(context.db)
    await evaluated(context)
    expect(await stored()).toEqual(before)

    // What a killed server was sending is sent again, under the same id, once its lease is over.
    await sql`update mail_outbox set leased_until = now(), run_at = now()`.execute(context.db)
    const { rows: queued } = await sql<{ id: string }>`select message_id as id from queued`.execute(
      context.db,
    )
    expect(queued.length).toBeGreaterThan(0)
    const sent = () => new Set(mailServer.mails.map(({ text }) => text.match(/^Message-ID: <(.*)@/im)![1]))
    await vi.waitFor(async () => {
      const { rows } = await sql`select from mail_outbox`.execute(context.db)
      expect(rows).toEqual([])
    }, 30_000)
    expect(sent()).toEqual(new Set(queued.map(({ id }) => id)))
  },
  900_000,
)

/** Cases that only wait to be moved, besides those that are saved meanwhile. */
const WAITING = 900
const [OLD_FIELD, NEW_FIELD] = ['move_old', 'move_new']

/** Copies a case so many times, each with an answer of its own. */
async function copyCase(id: number, count: number): Promise<void> {
  await sql`insert into cases (client, service, case_type, case_type_version, contract, created_by, answers)
    select client, service, case_type, case_type_version, contract, created_by,
      k.answers || jsonb_build_object(${OLD_FIELD}::text, 'Waiting ' || g)
    from cases k, generate_series(1, ${count}) g where k.id = ${id}`.execute(context.db)
}

/** Publishes the form of cases with a further field; returns the version. */
async function publishField(admin: Caller, field: Field, before: Group[]): Promise<number> {
  const { version } = (await admin('caseTypes.read', on(1))).body
  const case_meta = [...before, { name: 'moving', label: 'Moving', fields: [field] }]
  const { status, body } = await admin('caseTypes.update', on(1, { version, case_meta }))
  expect([status, status === 200 ? undefined : body]).toEqual([200, undefined])
  return body.version
}

/** Saves cases by the old and by the new form in turn, a hand each, at both servers; the last acknowledged words by case. */
function startMovingHands(cases: number[], versions: { old: number; new: number }) {
  let isGoing = true
  const last = new Map<number, string>()
  const refusals: unknown[] = []
  const work = async (id: number, hand: number) => {
    for (let i = 0; isGoing; i++) {
      const [name, case_type_version] =
        (hand + i) % 2 === 0 ? [OLD_FIELD, versions.old] : [NEW_FIELD, versions.new]
      const words = `Save ${i} of ${id}`
      const body = { case_type_version, answers: { [name]: words } }
      const reply = await callers[i % 2]('cases.update', on(id, body)).catch(() => undefined)
      // A save without a reply may have been committed, so it is made again.
      if (reply?.status === 200) last.set(id, words)
      else if (reply && reply.status !== 503) refusals.push([reply.status, reply.body])
    }
  }
  const hands = cases.map(work)
  return {
    last,
    refusals,
    stop: async () => {
      isGoing = false
      await Promise.all(hands)
    },
  }
}

/** Waits until so many records are moved, and kills a server that then is in the middle of the batches. */
async function killAfter(place: number, moved: number): Promise<void> {
  await vi.waitUntil(async () => (await latestMigration()).moved >= moved, { timeout: 60_000, interval: 5 })
  await products[place].end('SIGKILL')
  await sql`update answer_migrations set leased_until = now(), run_at = now() where state = 'moving'`.execute(
    context.db,
  )
}

async function latestMigration() {
  const { rows } = await sql<{ id: number; version: number; state: string; moved: number }>`
    select id, version, state, moved from answer_migrations order by id desc limit 1`.execute(context.db)
  return rows[0]
}

const isMoved = () =>
  vi.waitUntil(async () => (await latestMigration()).state === 'moved', { timeout: 120_000 })

itInFull(
  'two servers that are killed between batches of moved answers lose none, move each once, and undo the whole',
  async () => {
    const admin = await signIn(contract, products[0].address, 'admin')
    const { case_meta } = (await admin('caseTypes.read', on(1))).body
    const field = { name: OLD_FIELD, label: 'Moving', type: 'text' as const }
    const old = await publishField(admin, field, case_meta)
    const saved: number[] = []
    for (let i = 0; i < 4; i++) {
      const { id } = await createCase(advocate)
      await advocate('cases.update', on(id, { answers: { [OLD_FIELD]: `Begun ${id}` } }))
      saved.push(id)
    }
    const untouched = saved.pop()!
    await copyCase(untouched, WAITING)
    const { rows: before } = await sql<{ id: number; words: string }>`
      select id, answers ->> ${OLD_FIELD} as words from cases where answers ? ${OLD_FIELD} order by id`.execute(
      context.db,
    )
    expect(before).toHaveLength(WAITING + 4)
    // Slow enough to be killed in the middle.
    await sql`create function slow_move() returns trigger language plpgsql as $$
      begin perform pg_sleep(0.004); return new; end $$`.execute(context.db)
    await sql`create trigger slow_move before insert on replaced_answers for each row execute function slow_move()`.execute(
      context.db,
    )

    const moving = await publishField(
      admin,
      { ...field, name: NEW_FIELD, attrs: { takes: { from: OLD_FIELD } } } as Field,
      case_meta,
    )
    const hands = startMovingHands(saved, { old, new: moving })
    await killAfter(0, 100)
    expect((await latestMigration()).state).toBe('moving')
    await killAfter(1, 300)
    await start(0)
    await start(1)
    await isMoved()
    await hands.stop()
    expect(hands.refusals).toEqual([])
    expect([...hands.last.keys()].sort()).toEqual(saved.toSorted())

    const at = async (name: string) => {
      const { rows } = await sql<{ id: number; words: string }>`
        select id, answers ->> ${name} as words from cases where answers ? ${name} order by id`.execute(
        context.db,
      )
      return new Map(rows.map(({ id, words }) => [id, words]))
    }
    const now = await at(NEW_FIELD)
    expect((await at(OLD_FIELD)).size).toBe(0)
    for (const { id, words } of before) if (!saved.includes(id)) expect(now.get(id)).toBe(words)
    for (const [id, words] of hands.last) expect(now.get(id)).toBe(words)
    const { rows: replaced } = await sql<{ n: number; records: number }>`
      select count(*)::int as n, count(distinct "case")::int as records from replaced_answers where before is not null`.execute(
      context.db,
    )
    expect([replaced, (await latestMigration()).moved]).toEqual([
      [{ n: WAITING + 4, records: WAITING + 4 }],
      WAITING + 4,
    ])

    const second = await signIn(contract, products[1].address, 'admin')
    const undoing = second('caseTypes.undoMigration', on(1, { version: moving }))
    expect((await undoing).status).toBe(200)
    await killAfter(1, 100)
    await killAfter(0, 300)
    await start(0)
    await start(1)
    await isMoved()
    expect((await at(NEW_FIELD)).size).toBe(0)
    const back = await at(OLD_FIELD)
    for (const { id, words } of before) if (!saved.includes(id)) expect(back.get(id)).toBe(words)
    for (const [id, words] of hands.last) expect(back.get(id)).toBe(words)
    const listing = await signIn(contract, products[0].address, 'admin')
    const [{ open, open_count }] = (await listing('caseTypes.migrations', on(1))).body
    expect(open_count).toBe(saved.length)
    expect(new Set(open.map((one: { case: number }) => one.case))).toEqual(new Set(saved))
  },
  600_000,
)
