import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import type { Client } from 'pg'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Contract } from '../../src/contract/contract.ts'
import type { Column, ListScreen, ReportScreen } from '../../src/contract/generated.ts'
import { relativeDay } from '../../src/contract/relativeDay.ts'
import { today } from '../../src/server/core/today.ts'
import type { Caller } from '../server/context.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { PASSWORD } from './context.ts'
import type { Task } from './guide.ts'

/** The product after a guide's task, running on a database that existed before it. */
export interface Site {
  db: Client
  /** The contract that the server sends to browsers. */
  contract: Contract
  address: string
  as(username: string): Promise<Caller>
  openPage(): Promise<Page>
}
type Proof =
  | { needs: 'check'; prove: (check: { code: number; output: string }, task: Task) => void }
  | {
      /** Rebuild that the proof needs: none for json, the server bundle for server, everything for dev. */
      needs: 'json' | 'server' | 'dev'
      /** Prepares the database before the product of the task starts for the first time. */
      prepare?: (db: Client) => Promise<void>
      /** Environment variables of the product of the task. */
      env?: Record<string, string>
      prove: (site: Site) => Promise<void>
    }

/** Proof that a task of the guides works, by its heading. */
export const PROOFS: Record<string, Proof> = {
  'Add a list screen': { needs: 'json', prove: listScreen },
  'Add a form screen': { needs: 'json', prove: formScreen },
  'Add a detail screen': { needs: 'json', prepare: addTask, prove: detailScreen },
  'Add a report': { needs: 'json', prove: report },
  'Open a screen to another role': { needs: 'json', prove: role },
  'Add a cell': { needs: 'dev', prove: cell },
  'Add a widget': { needs: 'dev', prove: widget },
  'Break a screen': { needs: 'check', prove: brokenScreen },
  'Add a field of a record': { needs: 'json', prove: field },
  'Add a lookup': { needs: 'json', prove: lookup },
  'Add a call that lists': { needs: 'json', prove: listCall },
  'Try a call': { needs: 'json', prove: tryCall },
  'Add a call with its own logic': { needs: 'server', prove: ownLogic },
  'Add a refusal': { needs: 'server', prove: refusal },
  'Add a migration': { needs: 'json', prepare: beforeMigration, prove: migration },
  'Add a setting': {
    needs: 'server',
    env: { REPEAT_HOURS: '48' },
    prepare: addReplies,
    prove: setting,
  },
  'Add an hourly job': { needs: 'server', prepare: addMessages, prove: job },
  'Add a notice': { needs: 'json', prove: notice },
  'Add a view': { needs: 'json', prove: view },
}

/** The screen and its menu entry are served, and its source returns its columns. */
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

/** An advocate adds a signposting on the page that the list links to, and is redirected to the list. */
async function formScreen({ db, openPage }: Site): Promise<void> {
  const [{ id }] = (await db.query(CLIENT_OF_ADVOCATE)).rows
  await db.query("insert into lookup (kind, value, label) values ('sp_org', 901, 'Citizens Advice Bureau')")
  const page = await openPage()
  await signInOn(page, 'advocate')
  await page.goto(`/clients/${id}/signposting`)
  await page.getByRole('link', { name: 'Add', exact: true }).click()
  await page.getByRole('heading', { name: 'New signposting' }).waitFor()
  await page.getByLabel('Organisation').selectOption({ label: 'Citizens Advice Bureau' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Citizens Advice Bureau' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/clients/${id}/signposting`)
}

const CLIENT_OF_ADVOCATE = `select c.client as id from issues i join cases c on c.id = i."case"
  join staff s on s.id = i.advocate where s.username = 'advocate' and i.is_opened and c.status = 1 limit 1`

async function addTask(db: Client): Promise<void> {
  const [{ id }] = (await db.query(CLIENT_OF_ADVOCATE)).rows
  await db.query(
    `insert into tasks (title, due, client, assignee, created_by)
      select 'Ring the ward at noon', '2030-01-31', $1, id, id from staff where username = 'advocate'`,
    [id],
  )
}

/** The link in a task's row opens its page, whose tab edits the task and whose button marks it as done. */
async function detailScreen({ db, openPage }: Site): Promise<void> {
  const [task] = (await db.query("select id, client from tasks where title = 'Ring the ward at noon'")).rows
  const page = await openPage()
  await signInOn(page, 'advocate')
  await page.goto(`/clients/${task.client}/tasks`)
  await page
    .getByRole('row', { name: /Ring the ward at noon/ })
    .locator('a[href^="/tasks/"]')
    .click()
  await page.waitForURL(`**/tasks/${task.id}/details`)
  await page.getByLabel('Next step').fill('Ring the ward again')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Ring the ward again' }).waitFor()
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  const isDone = async () =>
    (await db.query('select done_at is not null as done from tasks where id = $1', [task.id])).rows[0].done
  await expect.poll(isDone).toBe(true)
}

/** The screen and its menu entry are served, its source returns groups, and a total matches the rows behind it. */
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

/** A hub manager can call and open the list; an advocate can do neither. */
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
  await other.getByRole('link', { name: /^My Cases( \d+ issues?)?$/ }).waitFor()
  expect(await other.getByRole('link', { name: title, exact: true }).count()).toBe(0)
}

/** The preview and the list of staff show mailto links. */
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

/**
 * The preview renders the widget, a form with a field of the type can be published, and the server validates its
 * answer.
 */
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

/** The check fails with exactly the messages of the guide. */
function brokenScreen({ code, output }: { code: number; output: string }, { blocks }: Task): void {
  const [{ lines }] = blocks.filter(({ file }) => file === 'check')
  expect([code, output.split('\n').filter((line) => /^(screens|schemas)\//.test(line))]).toEqual([1, lines])
}

/** The screen has the field, and a value written by a call is stored in the column and returned. */
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

/** Administrators add an item at Admin Site, and the lookup offers it to everybody. */
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

/** The call lists only the open issues of one client, and rejects unknown parameters. */
async function listCall({ db, as }: Site): Promise<void> {
  const [{ id }] = (await db.query(CLIENT_OF_ADVOCATE)).rows
  const manager = await as('admin')
  const { status, body } = await manager('issues.openOfClient', {
    params: { id },
    query: { order_by: '-id' },
  })
  expect(status).toBe(200)
  const { rows } = await db.query(
    `select i.id from issues i join cases c on c.id = i."case"
      where c.client = $1 and i.is_opened and i.status = 1 order by i.id desc`,
    [id],
  )
  expect(rows.length).toBeGreaterThan(0)
  expect(body.data.map((row: { id: number }) => ({ id: row.id }))).toEqual(rows)
  const wrong = await manager('issues.openOfClient', { params: { id }, query: { nonsense: 1 } })
  expect(wrong.status).toBe(400)
}

/** The commands of the guide sign in, list clients and create a task. */
async function tryCall({ db, address }: Site): Promise<void> {
  const [, section] = readFileSync('schemas/README.md', 'utf8').match(/^### Try a call\n(.*?)^### /ms)!
  const commands = [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text]) => text).join('')
  const script = commands.replace('http://127.0.0.1:3000', address).replace('advocacy-demo', PASSWORD)
  const cwd = temporaryFolder('advocacy-curl-')
  const output = await new Promise<string>((done, fail) =>
    execFile('bash', ['-c', script], { cwd }, (error, stdout) => (error ? fail(error) : done(stdout))),
  )
  rmSync(cwd, { recursive: true })
  const { rows } = await db.query("select id from tasks where title = 'Ring the ward at noon'")
  expect([output, rows.length]).toEqual([
    expect.stringMatching(/^\{"data":\[.*"title":"Ring the ward at noon"/s),
    1,
  ])
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

/** An open issue is assigned; once closed it is rejected with the status and message of the guide. */
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
  expect(await migrations(db)).not.toContain('088_activities_by_day')
  expect(await indexesByDay(db)).toBe(0)
}

/** The new migration is applied to an existing database, which keeps its rows. */
async function migration({ db }: Site): Promise<void> {
  expect(await migrations(db)).toEqual(expect.arrayContaining(['001_schema', '088_activities_by_day']))
  expect(await indexesByDay(db)).toBe(1)
  expect((await db.query('select count(*)::int as n from activities')).rows[0].n).toBeGreaterThan(0)
}

/** A server runs its jobs up to 20 seconds after its start, one after another. */
const JOBS_DONE = { timeout: 60_000 }

async function addReplies(db: Client): Promise<void> {
  await db.query(`insert into idempotency (staff, key, body_hash, at)
    select id, hours::text, '', now() - make_interval(hours => hours) from staff, unnest(array[30, 50]) hours
    where username = 'advocate'`)
}

/** With the setting at 48 hours, the stored reply from 30 hours ago is kept and the one from 50 hours ago deleted. */
async function setting({ db }: Site): Promise<void> {
  const keys = async () => (await db.query('select key from idempotency')).rows
  await expect.poll(keys, JOBS_DONE).toEqual([{ key: '30' }])
}

async function addMessages(db: Client): Promise<void> {
  await db.query(`insert into referral_messages (hub, text, read_at) values
    (1, 'old', now() - interval '400 days'), (1, 'new', now()), (1, 'unread', null)`)
}

/** The job deletes only the old message of those present at the start. */
async function job({ db }: Site): Promise<void> {
  const texts = async () =>
    (await db.query("select text from referral_messages where text in ('old', 'new', 'unread') order by id"))
      .rows
  await expect.poll(texts, JOBS_DONE).toEqual([{ text: 'new' }, { text: 'unread' }])
}

/** The list returns the figures of the tables to a manager, and is forbidden to an advocate. */
async function notice({ as }: Site): Promise<void> {
  const [hub, manager] = [await as('hub'), await as('hubmanager')]
  const { data } = (await hub('issues.mine', { query: { state: 'open' } })).body
  const asked = await hub('issues.askAllocation', { params: { id: data[0].id }, body: { note: 'Too far' } })
  expect(asked.status).toBe(200)
  const notices = (await manager('workNotices.list', { query: { seen: 'Unread', page_size: 100 } })).body.data
  expect(notices.map(({ sentence }: { sentence: string }) => sentence)).toContainEqual(
    expect.stringContaining(`Allocation is asked for: ${data[0].client_name}`),
  )
}

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
