import { sql } from 'kysely'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { addDays } from '../../src/contract/days.ts'
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
