import type { Client } from 'pg'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Contract } from '../../src/contract/contract.ts'
import type { Column, ListScreen, ReportScreen } from '../../src/contract/generated.ts'
import { relativeDay } from '../../src/contract/relativeDay.ts'
import { today } from '../../src/server/today.ts'
import type { Caller } from '../server/context.ts'
import { PASSWORD } from './context.ts'
import type { Task } from './guide.ts'

/** The product after a task, on a database that was there before. */
export interface Site {
  db: Client
  /** As the server serves it to browsers. */
  contract: Contract
  as(username: string): Promise<Caller>
  openPage(): Promise<Page>
}
type Proof =
  | { needs: 'check'; prove: (check: { code: number; output: string }, task: Task) => void }
  | {
      /** json: what is built already reads it; server: the server is built anew; dev: everything is. */
      needs: 'json' | 'server' | 'dev'
      /** What the database holds before the product of the task starts for the first time. */
      prepare?: (db: Client) => Promise<void>
      prove: (site: Site) => Promise<void>
    }

/** What shows that a task of the guides is done, by its heading. */
export const PROOFS: Record<string, Proof> = {
  'Add a list screen': { needs: 'json', prove: listScreen },
  'Add a report': { needs: 'json', prove: report },
  'Open a screen to another role': { needs: 'json', prove: role },
  'Add a cell': { needs: 'dev', prove: cell },
  'Add a widget': { needs: 'dev', prove: widget },
  'Break a screen': { needs: 'check', prove: brokenScreen },
  'Add a field of a record': { needs: 'json', prove: field },
  'Add a lookup': { needs: 'json', prove: lookup },
  'Add a call with its own logic': { needs: 'server', prove: ownLogic },
  'Add a refusal': { needs: 'server', prove: refusal },
  'Add a migration': { needs: 'json', prepare: beforeMigration, prove: migration },
  'Add an hourly job': { needs: 'server', prepare: addMessages, prove: job },
  'Add a view': { needs: 'json', prove: view },
}

/** The screen and its menu entry are served, and its source answers its columns. */
async function listScreen({ contract, as }: Site): Promise<void> {
  const screen = contract.screens['open-issues'] as ListScreen
  expect(contract.menu.dashboard).toContain('open-issues')
  const manager = await as('manager')
  const { status, body } = await manager(screen.source)
  expect([status, body.data.length > 0]).toEqual([200, true])
  const fields = screen.columns.map((column) => (column as Column).field ?? column)
  expect(Object.keys(body.data[0])).toEqual(expect.arrayContaining(fields))
  expect((await (await as('advocate'))(screen.source)).status).toBe(403)
}

/** The screen is short and served, its source counts what it names, and a number is that of the rows behind it. */
async function report({ contract, as }: Site): Promise<void> {
  const { source, by, measures, rows, ...screen } = contract.screens['hours-by-service'] as ReportScreen
  expect(contract.menu.dashboard).toContain('hours-by-service')
  const manager = await as('manager')
  const period = {
    start: relativeDay(screen.defaults!.start, today('Europe/London')),
    end: today('Europe/London'),
  }
  const [service, month] = by as string[]
  const query = { by: service, and: month, measures: measures.join(), ...period }
  const { status, body } = await manager(source, { query })
  expect([status, body.data.length > 0]).toEqual([200, true])
  const [first] = body.data
  const list = (contract.screens[rows!] as ListScreen).source
  const line = { [service]: first.by_value, [month]: first.and_value, ...period, page_size: 2000 }
  const { data } = (await manager(list, { query: line })).body
  const times = data.map(({ time_taken }: { time_taken: number }) => time_taken)
  expect(times.reduce((all: number, time: number) => all + time, 0)).toBe(first.time)
  expect((await (await as('advocate'))(source, { query })).status).toBe(403)
}

/** A hub manager reads and opens the list; an advocate does neither. */
async function role({ contract, as, openPage }: Site): Promise<void> {
  const { source, route, title } = contract.screens.advocates as ListScreen
  const statuses = []
  for (const who of ['manager', 'hubmanager', 'advocate'])
    statuses.push((await (await as(who))(source)).status)
  expect(statuses).toEqual([200, 200, 403])
  const page = await openPage()
  await signInOn(page, 'hubmanager')
  await page.getByRole('link', { name: title, exact: true }).click()
  await page.getByRole('heading', { name: title }).waitFor()
  await page.locator('.list-table:not([aria-hidden]) tbody tr').first().waitFor()
  const other = await openPage()
  await signInOn(other, 'advocate')
  await other.goto(route)
  await other.waitForURL('**/dashboard/my-cases')
  await other.getByRole('link', { name: /^My Cases( \d+ waiting)?$/ }).waitFor()
  expect(await other.getByRole('link', { name: title, exact: true }).count()).toBe(0)
}

/** The preview and the list of staff show links to write to somebody. */
async function cell({ openPage }: Site): Promise<void> {
  const page = await openPage()
  await signInOn(page, 'admin')
  await page.goto('/preview/cells')
  await page
    .getByRole('row', { name: /^mail / })
    .getByRole('link', { name: 'Ann' })
    .waitFor()
  await page.goto('/dashboard/management')
  const links = page.locator('td a[href^="mailto:"]')
  await links.first().waitFor()
  expect(await links.first().getAttribute('href')).toBe(`mailto:${await links.first().textContent()}`)
}

/** The preview asks for a sort code, a published form has a field of the type, and the server validates its answer. */
async function widget({ db, openPage, as }: Site): Promise<void> {
  const page = await openPage()
  await signInOn(page, 'admin')
  await page.goto('/preview/widgets')
  const inputs = page.locator('input[placeholder="12-34-56"]')
  await inputs.nth(2).waitFor()
  const values = await inputs.evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value))
  expect(values).toEqual(['', '12-34-56', ''])

  const admin = await as('admin')
  const { rows } = await db.query('select id, case_type as type from cases limit 1')
  const [{ id, type }] = rows
  const { body: form } = await admin('caseTypes.read', { params: { id: type } })
  const asked = { name: 'bank', label: 'Sort code', type: 'sortcode', attrs: { is_on: true } }
  form.case_meta.push({ name: 'payments', label: 'Payments', fields: [asked] })
  const { version, label, case_meta, issue_meta } = form
  const published = await admin('caseTypes.update', {
    params: { id: type },
    body: { version, label, case_meta, issue_meta },
  })
  expect(published.status).toBe(200)
  const answer = async (bank: string) => {
    const { status, body } = await admin('cases.update', { params: { id }, body: { answers: { bank } } })
    return status === 200 ? body.answers.bank : Object.keys(body)
  }
  expect([await answer('123456'), await answer('12-34-56')]).toEqual([['answers.bank'], '12-34-56'])
}

/** The check fails with the message of the guide and no other. */
function brokenScreen({ code, output }: { code: number; output: string }, { blocks }: Task): void {
  const [{ lines }] = blocks.filter(({ file }) => file === 'check')
  expect([code, output.split('\n').filter((line) => /^(screens|schemas)\//.test(line))]).toEqual([1, lines])
}

/** The screen has the field, and what is written by a call is in the column and is read again. */
async function field({ contract, db, as }: Site): Promise<void> {
  expect(JSON.stringify(contract.screens['client-info'])).toContain('"occupation"')
  const admin = await as('admin')
  const [{ id }] = (await admin('clients.list')).body.data
  const params = { id }
  expect((await admin('clients.read', { params })).body.occupation).toBe(null)
  const saved = await admin('clients.update', { params, body: { occupation: 'Baker' } })
  expect([saved.status, saved.body.occupation]).toEqual([200, 'Baker'])
  expect((await admin('clients.read', { params })).body.occupation).toBe('Baker')
  const { rows } = await db.query('select id from clients where occupation = $1', ['Baker'])
  expect(rows).toEqual([{ id }])
  const long = await admin('clients.update', { params, body: { occupation: 'x'.repeat(101) } })
  expect([long.status, Object.keys(long.body)]).toEqual([400, ['occupation']])
}

/** Administrators add an item at Admin Site, and everybody is offered it. */
async function lookup({ contract, as }: Site): Promise<void> {
  const [admin, advocate] = [await as('admin'), await as('advocate')]
  const { path, title } = contract.lookups.language
  expect((await advocate.raw(path)).body).toEqual([])
  const added = await admin('admin.add', {
    params: { app: 'core', type: 'language' },
    body: { data: { label: 'Polish' } },
  })
  expect(added.status).toBe(201)
  expect((await advocate.raw(path)).body).toEqual([{ value: 1, label: 'Polish' }])
  const { models } = (await admin('admin.core')).body
  expect(models).toContainEqual(expect.objectContaining({ name: title, object_name: 'language', count: 1 }))
}

/** The call adds up the caller's own activities of this month. */
async function ownLogic({ db, as }: Site): Promise<void> {
  const [advocate, volunteer] = [await as('advocate'), await as('volunteer')]
  const time = async (who: Caller) => (await who('activities.time')).body.seconds
  const before = [await time(advocate), await time(volunteer)]
  const activity = { type: 1, commissioning_contract: 1, time_taken: 5400 }
  const days = (await db.query("select current_date::text as today, '2020-01-31' as earlier")).rows[0]
  for (const done_on of [days.today, days.earlier])
    expect((await advocate('activities.create', { body: { ...activity, done_on } })).status).toBe(201)
  expect([await time(advocate), await time(volunteer)]).toEqual([before[0] + 5400, before[1]])
}

/** An open issue is assigned; the same one closed is refused, with the status and sentence of the guide. */
async function refusal({ db, as }: Site): Promise<void> {
  const manager = await as('manager')
  const { rows } = await db.query(`select i.id, i.advocate from issues i
    join caseworkers a on a.id = i.advocate and i.service = any(a.services) and i.contract = any(a.contracts)
    join staff s on s.id = i.advocate join staff m on m.id = s.line_manager
    where i.is_opened and m.username = 'manager' order by i.id limit 1`)
  const [{ id, advocate }] = rows
  const assign = () => manager('issues.assign', { params: { id }, body: { advocate } })
  expect(await assign()).toMatchObject({ status: 200, body: { advocate } })
  await db.query('update issues set is_opened = false, close_date = start_date where id = $1', [id])
  const { status, body } = await assign()
  const message = 'This issue is closed: nobody can be assigned to it'
  expect([status, body]).toEqual([409, { code: 'issueClosed', message }])
}

const migrations = async (db: Client) =>
  (await db.query('select name from migration order by name')).rows.map(({ name }) => name)
const indexesByDay = async (db: Client) =>
  (await db.query("select from pg_indexes where indexname = 'activities_done_on'")).rowCount

async function beforeMigration(db: Client): Promise<void> {
  expect(await migrations(db)).not.toContain('023_activities_by_day')
  expect(await indexesByDay(db)).toBe(0)
}

/** A database made by the migrations before it has had the new one too, and keeps its rows. */
async function migration({ db }: Site): Promise<void> {
  expect(await migrations(db)).toEqual(expect.arrayContaining(['001_schema', '023_activities_by_day']))
  expect(await indexesByDay(db)).toBe(1)
  expect((await db.query('select count(*)::int as n from activities')).rows[0].n).toBeGreaterThan(0)
}

async function addMessages(db: Client): Promise<void> {
  await db.query(`insert into referral_messages (hub, text, read_at) values
    (1, 'old', now() - interval '400 days'), (1, 'new', now()), (1, 'unread', null)`)
}

/** Of the messages that were there at the start, the job deleted the old one alone. */
async function job({ db }: Site): Promise<void> {
  const texts = async () =>
    (await db.query("select text from referral_messages where text in ('old', 'new', 'unread') order by id"))
      .rows
  await expect.poll(texts).toEqual([{ text: 'new' }, { text: 'unread' }])
}

/** The list answers the figures of the tables to a manager, and an advocate may not call it. */
async function view({ db, as }: Site): Promise<void> {
  const [manager, advocate] = [await as('manager'), await as('advocate')]
  const { status, body } = await manager('reports.contracts', { query: { page_size: 500 } })
  expect(status).toBe(200)
  const { rows } = await db.query(`select contract as id, count(*)::int as open_issues from issues
    where is_opened and status = 1 group by 1 order by 1`)
  const figures = body.data as { id: number; open_issues: number }[]
  const answered = figures.filter(({ open_issues }) => open_issues > 0).sort((a, b) => a.id - b.id)
  expect(answered.map(({ id, open_issues }) => ({ id, open_issues }))).toEqual(rows)
  expect(rows.length).toBeGreaterThan(1)
  expect((await advocate('reports.contracts')).status).toBe(403)
}

async function signInOn(page: Page, username: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((url) => !['/login', '/dashboard'].includes(url.pathname))
}
