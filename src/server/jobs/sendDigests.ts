import { sql } from 'kysely'
import { allows } from '../../contract/access.ts'
import type { Contract } from '../../contract/contract.ts'
import type { ListScreen } from '../../contract/generated.ts'
import type { Call } from '../call.ts'
import type { Db } from '../db.ts'
import { handlerOf } from '../routes.ts'
import type { Settings } from '../settings.ts'
import { isAddress, oneLine, sendMail } from '../signIn/mail.ts'
import { type Caller, callerById } from '../signIn/session.ts'
import { today } from '../today.ts'
import type { JobContext } from './jobs.ts'

/** The hour of the morning, where the service works, from which digests are sent. */
const MORNING = 7

interface Line {
  words: string
  count: number
  to: string
}

/**
 * Mails what waits for them to those who want that: on working days, or once a week, from seven o'clock. Each day is
 * sent once, whichever server begins; nothing is sent to somebody for whom nothing waits.
 */
export async function sendDigests(context: JobContext, now = new Date()): Promise<void> {
  const { db, settings, log, ending } = context
  const { day, weekday, hour } = clockOf(settings.TIME_ZONE, now)
  if (weekday > 5 || hour < MORNING) return
  const monday = sql`date_trunc('week', ${day}::date)::date`
  const { rows } = await sql<{
    id: number
    last: string | null
  }>`select id, digest_sent::text as last from staff
    where status = 1 and email is not null and coalesce(digest_sent < ${day}::date, true)
      and (digest = 'daily' or (digest = 'weekly' and coalesce(digest_sent < ${monday}, true)))
    order by id`.execute(db)
  for (const { id, last } of rows) {
    if (ending.aborted) return
    const me = await callerById(db, id)
    if (!me?.email || !isAddress(me.email) || !(await claim(db, id, day))) continue
    try {
      const lines = await linesFor(context, me)
      if (lines.length > 0)
        await sendMail(
          { settings, log },
          { to: me.email, subject: settings.PRODUCT_NAME, text: textFor(me, lines) },
        )
    } catch (error) {
      await sql`update staff set digest_sent = ${last}::date where id = ${id}`.execute(db)
      throw error
    }
  }
}

/** Takes the day for this server; false where another one has it. */
async function claim(db: Db, id: number, day: string): Promise<boolean> {
  const { rows } = await sql`update staff set digest_sent = ${day}::date
    where id = ${id} and digest <> 'none' and coalesce(digest_sent < ${day}::date, true) returning 1`.execute(
    db,
  )
  return rows.length === 1
}

/** How much waits for a person in each quick filter of their lists of work, and in what they see to besides. */
export async function linesFor(
  { contract, settings, db }: Omit<JobContext, 'log' | 'ending'>,
  me: Caller,
): Promise<Line[]> {
  const ask = <Reply>(name: string, query: Call['query'] = {}) =>
    read<Reply>({ contract, settings, db }, me, name, query)
  const lines: Line[] = []
  for (const { route, source, chips = [] } of worklists(contract, me)) {
    const { chips: counts } = await ask<{ chips: Record<string, number> }>(source, { page_size: 1 })
    for (const { label, filter, count } of chips) {
      if (Object.keys(filter).length === 0) continue
      const words = label.charAt(0).toLowerCase() + label.slice(1)
      lines.push({ words, count: counts[count], to: `${route}?${new URLSearchParams(filter)}` })
    }
  }
  for (const { screen, call, count, words } of WAITING) {
    const { roles, route } = contract.screens[screen]
    if (!allows(contract.roles, roles, me.groups) || !mayCall(contract, call, me)) continue
    lines.push({ words, count: count(await ask(call, { page_size: 1 })), to: route })
  }
  return lines
    .filter((line) => line.count > 0)
    .map((line) => ({ ...line, to: addressOf(settings) + line.to }))
}

interface Waiting {
  screen: string
  call: string
  // biome-ignore lint/suspicious/noExplicitAny: each call has a reply of its own
  count: (reply: any) => number
  words: string
}

/** What else waits for people, as the bell says it. */
const WAITING: Waiting[] = [
  {
    screen: 'allocations-required',
    call: 'reports.allocations',
    count: ({ pagination }) => pagination.count,
    words: 'issues to allocate',
  },
  {
    screen: 'referral-requests',
    call: 'referrals.notification',
    count: ({ new_requests }) => new_requests,
    words: 'new referral requests',
  },
  {
    screen: 'referral-messages',
    call: 'referrals.notification',
    count: ({ new_messages }) => new_messages,
    words: 'new messages about referrals',
  },
]

/** The lists of the person's menu that have quick filters with counts. */
function worklists(contract: Contract, me: Caller): ListScreen[] {
  return contract.menu.dashboard
    .map((name) => contract.screens[name])
    .filter(
      (screen) => screen.kind === 'list' && screen.chips && allows(contract.roles, screen.roles, me.groups),
    )
    .filter((screen) => mayCall(contract, (screen as ListScreen).source, me)) as ListScreen[]
}

function mayCall({ endpoints, roles }: Contract, name: string, me: Caller): boolean {
  return allows(roles, endpoints[name].roles, me.groups)
}

/** What a call would answer this person. */
function read<Reply>(
  { contract, settings, db }: { contract: Contract; settings: Settings; db: Db },
  me: Caller,
  name: string,
  query: Call['query'],
): Promise<Reply> {
  const endpoint = contract.endpoints[name]
  const call = { name, endpoint, contract, settings, db, me, params: {}, query, body: {}, exporting: false }
  return handlerOf(contract, name, endpoint)(call as unknown as Call) as Promise<Reply>
}

/** Counts and links alone: others may see a mail, and mail servers keep it. */
function textFor({ first_name, username }: Caller, lines: Line[]): string {
  const all = lines.map(({ count, words, to }) => `${count.toLocaleString('en-GB')} ${words}\n${to}`)
  const why = 'You get this message because you chose it in your profile, where you can also switch it off.'
  return [`Hello ${oneLine(first_name || username)},`, 'This waits for you:', ...all, why, ''].join('\n\n')
}

function addressOf({ PUBLIC_URL, HOST, PORT }: Settings): string {
  const host = HOST.includes(':') ? `[${HOST}]` : HOST
  return (PUBLIC_URL || `http://${host}:${PORT}`).replace(/\/+$/, '')
}

/** The day (YYYY-MM-DD), the day of the week (1 is Monday) and the hour where the service works. */
function clockOf(timeZone: string, now: Date) {
  const day = today(timeZone, now)
  const hour = Number(
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(now),
  )
  return { day, hour, weekday: new Date(`${day}T00:00:00Z`).getUTCDay() || 7 }
}
