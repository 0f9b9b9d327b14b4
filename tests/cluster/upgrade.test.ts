import { execFile } from 'node:child_process'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { KEYS } from '../../src/app/core/storage.ts'
import { openDatabase } from '../../src/server/core/db.ts'
import { fillDefaults } from '../../src/server/ops/demo/defaults.ts'
import { fillDemo } from '../../src/server/ops/demo/demo.ts'
import { seeded } from '../../src/server/ops/demo/random.ts'
import { migrate } from '../../src/server/ops/migrate/migrate.ts'
import { sharedBrowser } from '../e2e/browser.ts'
import { copyRepository, type RepositoryCopy } from '../e2e/repositoryCopy.ts'
import { signIn } from '../server/context.ts'
import { type Product, startProduct } from '../server/product.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type PeopleAtWork, putPeopleToWork } from './peopleAtWork.ts'
import { type PostgresServer, query, signalAll, startPrimary, until } from './postgres.ts'
import { freePort } from './programs.ts'
import { contract, PASSWORD, printFigures } from './servers.ts'
import { startHaproxy, type WebProxy } from './webProxy.ts'
import { MAX_WAIT_MS } from './writers.ts'

const CLIENTS = Number(process.env.CLIENTS ?? 50_000)
/** How many are acknowledged by the servers as they are now, before the next step. */
const WRITES = 15

/** The next release: every kind of step, on tables that people use all the time. */
const MIGRATIONS = {
  '900_shoe_size': 'alter table clients add shoe_size integer;\n',
  '901_words': `-- step
alter table cases add words text;
create function case_words() returns trigger language plpgsql as $$
begin
  new.words := coalesce(new.words, 'case ' || new.id);
  return new;
end $$;
create trigger case_words before insert or update on cases for each row execute function case_words();
-- step: batched cases
update cases set words = 'case ' || id where id between $1 and $2 and words is null;
-- step: concurrently
create index concurrently cases_words on cases (words);
-- step
alter table cases add constraint cases_have_words check (words is not null) not valid;
-- step
alter table cases validate constraint cases_have_words;
-- step
alter table cases alter words set not null;
alter table cases drop constraint cases_have_words;
`,
  '902_issue_words': `-- step
alter table issues add words text not null default '';
-- step: batched issues
update issues set words = 'issue' where id between $1 and $2;
-- step: concurrently
create index concurrently issues_words on issues (words, id);
`,
}

const folder = temporaryFolder('upgrade-')
let primary: PostgresServer
let proxy: WebProxy
let next: RepositoryCopy
let ports: number[]
let browser: Browser
const servers: Product[] = []
const advocacy = (sql: string) => query(primary.url('advocacy'), sql)

/** Starts a server of a release at one of the two addresses behind the proxy. */
const startAt = (at: number, server?: string) =>
  startProduct({ DATABASE_URL: primary.url('advocacy'), PORT: String(ports[at]) }, server)

async function fill(): Promise<void> {
  await query(primary.url('postgres'), 'create database advocacy')
  const url = primary.url('advocacy')
  await migrate(url)
  const { slow: db, close } = openDatabase(url)
  await fillDefaults(db)
  await fillDemo(db, {
    contract,
    clients: CLIENTS,
    password: PASSWORD,
    passwordCost: 10,
    today: '2026-03-02',
  })
  await close()
  await query(url, 'analyze')
}

beforeAll(async () => {
  chmodSync(folder, 0o755)
  primary = await startPrimary(join(folder, 'primary'), {
    conf: 'shared_buffers = 512MB\nmax_wal_size = 4GB\n',
  })
  await fill()
  ports = [await freePort(), await freePort()]
  for (const at of [0, 1]) servers.push(await startAt(at))
  proxy = await startHaproxy(folder, ports)
  next = copyRepository()
  for (const [name, sql] of Object.entries(MIGRATIONS))
    writeFileSync(join(next.folder, `src/server/ops/migrations/${name}.sql`), `-- kind: expand\n${sql}`)
  browser = await sharedBrowser()
}, 1_800_000)
afterAll(async () => {
  for (const server of servers) await server.end('SIGTERM')
  await proxy?.end('SIGTERM')
  if (primary) signalAll(primary, 'SIGKILL')
  next?.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** A page on which somebody has typed a note that is not saved yet. */
async function openPage(): Promise<Page> {
  const { key } = await signIn(contract, proxy.address, 'advocate', PASSWORD)
  const localStorage = [
    { name: KEYS.token, value: key },
    { name: KEYS.lastResponse, value: String(Date.now()) },
  ]
  const origins = [{ origin: proxy.address, localStorage }]
  const page = await browser.newPage({
    baseURL: proxy.address,
    ignoreHTTPSErrors: true, // its certificate is nobody's
    storageState: { cookies: [], origins },
  })
  await page.goto('/activity/new')
  await page.getByLabel('Notes').fill('typed before the upgrade')
  return page
}

/** Runs `npm run migrate` of the next release; returns what it said. */
async function migrateToNext(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/server.js', '--migrate'], {
    cwd: next.folder,
    env: { ...process.env, NODE_ENV: undefined, DATABASE_URL: primary.url('advocacy') },
  })
  return stdout
}

async function untilWritten(people: PeopleAtWork): Promise<void> {
  const enough = people.figures().writes + WRITES
  await until(async () => people.figures().writes >= enough, 100)
}

async function callsDuring(people: PeopleAtWork, work: () => Promise<unknown>) {
  people.begin()
  const since = performance.now()
  await work()
  return { ...people.figures(), seconds: Math.round((performance.now() - since) / 1000) }
}

it(`24 callers on ${CLIENTS} clients notice neither a release with all kinds of steps nor the way back from it`, async () => {
  const people = await putPeopleToWork(contract, proxy.address, PASSWORD, 24, seeded)
  const page = await openPage()
  const calm = await callsDuring(people, () => sleep(20_000))
  let said = ''
  const migrating = await callsDuring(people, async () => {
    said = await migrateToNext()
  })
  const restarting = await callsDuring(people, async () => {
    for (const at of [0, 1]) {
      await servers[at].end('SIGTERM')
      servers[at] = await startAt(at, join(next.folder, 'dist/server.js'))
      await untilWritten(people)
    }
  })
  const goingBack = await callsDuring(people, async () => {
    await servers[0].end('SIGTERM')
    servers[0] = await startAt(0)
    await untilWritten(people)
  })
  await people.stop()
  for (const [phase, figures] of Object.entries({ calm, migrating, restarting, goingBack }))
    printFigures(phase, figures)
  console.log(said)
  expect(said).toContain('Applied 900_shoe_size, 901_words, 902_issue_words.')
  for (const { errors, writes, longest } of [migrating, restarting, goingBack]) {
    expect(errors).toEqual({})
    expect(writes).toBeGreaterThanOrEqual(WRITES)
    expect(longest).toBeLessThan(MAX_WAIT_MS)
  }
  expect(await people.lost(advocacy)).toEqual([])
  expect(servers[0].output()).toContain(
    'upgraded by a newer release (900_shoe_size, 901_words, 902_issue_words)',
  )
  expect(await advocacy('select from cases where words is null')).toEqual([])
  const columns = await advocacy(
    `select table_name from information_schema.columns where column_name = 'shoe_size' order by 1`,
  )
  expect(columns.map(({ table_name: name }) => name)).toEqual(['client_record', 'clients'])
  expect(await page.getByLabel('Notes').inputValue()).toBe('typed before the upgrade')
  expect(await page.locator('.bp6-toast').allTextContents()).toEqual([])
  const advocate = await signIn(contract, servers[0].address, 'advocate', PASSWORD)
  expect((await advocate('clients.list')).status).toBe(200)
}, 1_800_000)
