import { sql } from 'kysely'
import { allows } from '../../../contract/access.ts'
import type { Contract } from '../../../contract/contract.ts'
import { weekdayOf } from '../../../contract/days.ts'
import type { ListScreen } from '../../../contract/generated.ts'
import { isAddress, oneLine, publicUrl, sendMail } from '../../access/mail.ts'
import { callerById } from '../../access/session.ts'
import type { Call, Caller } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import type { Settings } from '../../core/settings.ts'
import { today } from '../../core/today.ts'
import { handlerOf } from '../../http/routes.ts'
import { noticeLines } from './noticeLines.ts'
import type { JobContext } from './runJobs.ts'

/** First hour of the day at which digests are sent, in the time zone of the service. */
const MORNING = 7

export interface DigestLine {
  words: string
  count: number
  to: string
}

/**
 * Mails a digest of open work to the people who chose it, on working days or once a week, from MORNING on. One server
 * claims each person's day; people without open work get no mail.
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
  const failures: unknown[] = []
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
      failures.push(error)
      const { responseCode } = error as { responseCode?: number }
      // A refused address would be refused again, so it is not tried before the next day.
      if (responseCode !== undefined && responseCode >= 500) continue
      await sql`update staff set digest_sent = ${last}::date where id = ${id}`.execute(db)
      // Without a response code the mail server is unavailable for all.
      if (responseCode === undefined) break
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** Claims a person's day for this server; false if another server has it. */
async function claim(db: Db, id: number, day: string): Promise<boolean> {
  const { rows } = await sql`update staff set digest_sent = ${day}::date
    where id = ${id} and digest <> 'none' and coalesce(digest_sent < ${day}::date, true) returning 1`.execute(
    db,
  )
  return rows.length === 1
}

/**
 * Counts a person's open work: by quick filter of their worklists, other work that they are responsible for, and unread
 * notices that they chose to have in the digest.
 */
export async function linesFor(
  { contract, settings, db }: Omit<JobContext, 'log' | 'ending'>,
  me: Caller,
): Promise<DigestLine[]> {
  const readAs = <Reply>(name: string, query: Call['query'] = {}) =>
    read<Reply>({ contract, settings, db }, me, name, query)
  const lines: DigestLine[] = []
  for (const { route, source, chips = [] } of worklists(contract, me)) {
    const { chips: counts } = await readAs<{ chips: Record<string, number> }>(source, { page_size: 1 })
    for (const { label, filter, count } of chips) {
      if (Object.keys(filter).length === 0) continue
      const words = label.charAt(0).toLowerCase() + label.slice(1)
      lines.push({ words, count: counts[count], to: `${route}?${new URLSearchParams(filter)}` })
    }
  }
  for (const { screen, call, count, words } of OTHER_WORK) {
    const { roles, route } = contract.screens[screen]
    if (!allows(contract.roles, roles, me.groups) || !mayCall(contract, call, me)) continue
    lines.push({ words, count: count(await readAs(call, { page_size: 1 })), to: route })
  }
  lines.push(...(await noticeLines(db, contract, me)))
  return lines
    .filter((line) => line.count > 0)
    .map((line) => ({ ...line, to: publicUrl(settings) + line.to }))
}

interface OtherWork {
  screen: string
  call: string
  // biome-ignore lint/suspicious/noExplicitAny: each call has a reply of its own
  count: (reply: any) => number
  words: string
}

/** Other open work, with the words of the bell. */
const OTHER_WORK: OtherWork[] = [
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

/** The lists in the person's menu that have quick filters with counts. */
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

/** Runs a call as this person and returns its reply. */
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

/** The text of a digest. It has counts and links only, because others may see a mail and mail servers store it. */
function textFor({ first_name, username }: Caller, lines: DigestLine[]): string {
  const all = lines.map(({ count, words, to }) => `${count.toLocaleString('en-GB')} ${words}\n${to}`)
  const why = 'You get this message because you chose it in your profile, where you can also switch it off.'
  return [`Hello ${oneLine(first_name || username)},`, 'This is waiting for you:', ...all, why, ''].join(
    '\n\n',
  )
}

/** The day (YYYY-MM-DD), weekday (1 is Monday) and hour in a time zone. */
function clockOf(timeZone: string, now: Date) {
  const day = today(timeZone, now)
  const hour = Number(
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(now),
  )
  return { day, hour, weekday: weekdayOf(day) }
}
