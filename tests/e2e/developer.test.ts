import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { itInFull } from '../full.ts'
import { freshDatabase } from '../server/database.ts'
import { type Product, startProduct } from '../server/product.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { sharedBrowser } from './browser.ts'
import { PASSWORD } from './context.ts'

/** What takes longest is left to the full run; guides.test.ts adds a column, too. */

const COPIED = ['src', 'schemas', 'screens', 'build.mjs', 'package.json', 'tsconfig.json']

let folder: string
let database: Awaited<ReturnType<typeof freshDatabase>>
let product: Product
let browser: Browser
const contexts: BrowserContext[] = []
let page: Page
/** What the copied list screen says; tests write it with something changed. */
let people: Record<string, unknown>
let menu: { dashboard: string[] }

beforeAll(async () => {
  folder = temporaryFolder('advocacy-developer-')
  for (const name of COPIED) cpSync(name, join(folder, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'dev.mjs'), "process.argv.push('dev')\nawait import('./build.mjs')\n")
  database = await freshDatabase()
  ;[product, browser] = await Promise.all([
    startProduct({ DATABASE_URL: database.url, DEMO: '1', PORT: await freePort() }, join(folder, 'dev.mjs')),
    sharedBrowser(),
  ])
  people = {
    ...JSON.parse(textOf('cases')),
    route: '/dashboard/people',
    title: 'People we know',
    roles: 'staff',
    source: 'clients.list',
    columns: ['first_name', 'last_name'],
  }
  menu = JSON.parse(textOf('menu'))
  page = await signIn()
})

afterAll(async () => {
  for (const context of contexts) await context.close()
  await product?.end('SIGTERM')
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

const fileOf = (name: string) => join(folder, 'screens', `${name}.json`)
const textOf = (name: string) => readFileSync(fileOf(name), 'utf8')
const asText = (screen: object) => `${JSON.stringify(screen, null, 2)}\n`
const write = (name: string, screen: object) => writeFileSync(fileOf(name), asText(screen))
const offer = (...names: string[]) => write('menu', { ...menu, dashboard: [...names, ...menu.dashboard] })
const entry = (title: string) => page.getByRole('link', { name: title, exact: true })
const mistake = () => page.locator('#failure')

/** A port that is kept over restarts of the server: an open page must find it again. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return String(port)
}

async function signIn(): Promise<Page> {
  const context = await browser.newContext({
    baseURL: product.address,
    viewport: { width: 1280, height: 900 },
  })
  contexts.push(context)
  // What is changed is built before it is shown.
  context.setDefaultTimeout(120_000)
  const signedIn = await context.newPage()
  await signedIn.goto('/login')
  await signedIn.getByLabel('User name').fill('manager')
  await signedIn.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await signedIn.getByRole('button', { name: 'Sign in' }).click()
  await signedIn.waitForURL('**/dashboard/allocations-required')
  await signedIn.locator('.list-table:not([aria-hidden]) tbody tr').first().waitFor()
  return signedIn
}

/** Expects a sentence over the page and in the console, and takes it away again. */
async function expectMistake(words: string | RegExp, mend: () => void): Promise<void> {
  await mistake().filter({ hasText: words }).waitFor()
  const shown = await mistake().textContent()
  await expect.poll(() => product.output()).toContain(shown)
  mend()
  await mistake().waitFor({ state: 'detached' })
}

/** Puts a mark on the page that a load of it would wipe away. */
const mark = () => page.evaluate(() => Object.assign(window, { marked: true }))
const isMarked = () => page.evaluate(() => 'marked' in window)

it('leaves the files of a build for production alone', () => {
  expect(readdirSync(join(folder, 'dist'))).toEqual(['dev'])
})

it('draws a copied list and its menu entry while a page is open, and keeps what was typed there', async () => {
  await mark()
  await page.getByRole('button', { name: 'Filters' }).click()
  const postcode = page.getByLabel('Postcode')
  await postcode.fill('LS1')
  write('people', people)
  offer('people')
  await entry('People we know').waitFor()
  expect(await postcode.inputValue()).toBe('LS1')
  expect(await postcode.evaluate((input) => input === document.activeElement)).toBe(true)

  await entry('People we know').click()
  await page.getByRole('heading', { name: 'People we know' }).waitFor()
  await page.locator('.list-table:not([aria-hidden]) tbody tr').nth(5).waitFor()
  expect(await page.locator('thead th').allTextContents()).toEqual(['First name', 'Last name'])
  expect(new URL(page.url()).pathname).toBe('/dashboard/people')
  expect(await isMarked()).toBe(true)
})

describe('a mistake is shown over the page and in the console while the last good screens keep running', () => {
  beforeEach(async () => {
    write('people', people)
    offer('people')
    await entry('People we know').click()
    await page.locator('.list-table:not([aria-hidden]) tbody tr').first().waitFor()
    await mark()
  })

  it('names file, line and column of a wrong field, and the field that was meant', async () => {
    const wrong = asText({ ...people, columns: ['first_name', { field: 'dbo', title: 'Born' }] })
    writeFileSync(fileOf('people'), wrong)
    const before = wrong.slice(0, wrong.indexOf('"dbo"')).split('\n')
    const place = `screens/people.json:${before.length}:${before.at(-1)!.length + 1}`
    await mistake().waitFor()
    expect(await mistake().textContent()).toBe(`${place}  no field 'dbo' in clientRow; did you mean 'dob'?`)

    const later = await page.context().newPage()
    await later.goto('/dashboard/people')
    await later.locator('.list-table:not([aria-hidden]) tbody tr').first().waitFor()
    await later.locator('#failure').waitFor()
    await later.close()
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await page.getByLabel('Name or number').fill('a')
    await page.getByRole('button', { name: 'Apply filters' }).click()
    await page.waitForURL('**/dashboard/people?term=a')
    expect(await page.locator('thead th').allTextContents()).toEqual(['First name', 'Last name'])

    await expectMistake(place, () => write('people', { ...people, columns: ['first_name', 'dob'] }))
    await page.getByRole('columnheader', { name: 'Date of birth' }).waitFor()
    expect(await isMarked()).toBe(true)
  })

  itInFull('says where half a file ends, and draws the whole of it', async () => {
    const text = asText({ ...people, title: 'In two halves' })
    const middle = text.indexOf('"In two') + 4
    writeFileSync(fileOf('people'), text.slice(0, middle))
    await expectMistake(/^screens\/people\.json:\d+:\d+ {2}not JSON: /, () =>
      appendFileSync(fileOf('people'), text.slice(middle)),
    )
    await entry('In two halves').waitFor()
    expect(await isMarked()).toBe(true)
  })

  itInFull('says that the menu names a screen that is gone, or never was', async () => {
    rmSync(fileOf('people'))
    await expectMistake(/^screens\/menu\.json:\d+:\d+ {2}no such name 'people'/, () =>
      write('people', people),
    )
    offer('people', 'peeple')
    await expectMistake("no such name 'peeple'; did you mean 'people'?", () => offer('people'))
    await page.locator('.list-table:not([aria-hidden]) tbody tr').first().waitFor()
    expect(await isMarked()).toBe(true)
  })

  itInFull('names a handler that there is not, and goes on with the calls of before', async () => {
    const file = join(folder, 'schemas/endpoints/clients.json')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('"does": "clients.list"', '"does": "clients.lits"'))
    await expectMistake(
      /^schemas\/endpoints\/clients\.json:\d+:\d+ {2}no handler 'clients\.lits' .*; did you mean 'clients\.list'\?$/,
      () => writeFileSync(file, text),
    )
    expect(await isMarked()).toBe(true)
  })

  itInFull('names an icon that there is not, and the icon that was meant', async () => {
    const toolbar = (icon: string) => [{ label: 'New Case', to: '/case', icon }]
    write('people', { ...people, toolbar: toolbar('pluss') })
    await expectMistake(
      /^screens\/people\.json:\d+:\d+ {2}no such name 'pluss'; did you mean 'plus'\?$/,
      () => write('people', { ...people, toolbar: toolbar('plus') }),
    )
    await page.getByRole('link', { name: 'New Case' }).nth(1).waitFor()
    expect(await isMarked()).toBe(true)
  })

  itInFull('says that code names an icon that there is not, and takes nothing else away', async () => {
    const file = join(folder, 'src/app/noSuchIcon.ts')
    writeFileSync(file, "export const icon = 'pluss'\n")
    await mistake().filter({ hasText: 'Blueprint has no icon "pluss"' }).waitFor()
    write('people', { ...people, columns: ['dbo'] })
    await mistake()
      .filter({ hasText: /pluss.*dbo/s })
      .waitFor()
    rmSync(file)
    write('people', people)
    await mistake().waitFor({ state: 'detached' })
    expect(await isMarked()).toBe(true)
  })
})

describe('however an editor saves', () => {
  const titles = ['Saved once', 'Saved twice', 'Saved three times']
  const saves: Record<string, (text: string) => void> = {
    'by renaming a new file over the old one': (text) => {
      writeFileSync(fileOf('people~'), text)
      renameSync(fileOf('people~'), fileOf('people'))
    },
    'by moving the old file aside first': (text) => {
      renameSync(fileOf('people'), `${fileOf('people')}~`)
      writeFileSync(fileOf('people'), text)
      rmSync(`${fileOf('people')}~`)
    },
    'twice at once, with a lock beside the file that is a link to nowhere': (text) => {
      symlinkSync('developer@example.org', fileOf('.#people'))
      write('people', { ...people, title: 'Not for long' })
      writeFileSync(fileOf('people'), text)
      rmSync(fileOf('.#people'))
    },
  }

  itInFull.each(Object.keys(saves))('%s', async (way) => {
    write('people', people)
    offer('people')
    await entry('People we know').waitFor()
    await mark()
    for (const title of titles) {
      saves[way](asText({ ...people, title }))
      await entry(title).waitFor()
    }
    expect(await isMarked()).toBe(true)
  })
})

itInFull('leads on when the screen that is shown changes its address or goes', async () => {
  write('people', people)
  offer('people')
  await entry('People we know').click()
  await mark()
  write('people', { ...people, route: '/dashboard/folk' })
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await entry('People we know').click()
  await page.locator('.list-table:not([aria-hidden]) tbody tr').first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard/folk')
  offer()
  rmSync(fileOf('people'))
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  expect(await entry('People we know').count()).toBe(0)
  expect(await mistake().count()).toBe(0)
  expect(await isMarked()).toBe(true)
})

/** Milliseconds that a busy machine may take to build everything again and start the server. */
const RESTART = 200_000

itInFull(
  'says which column a new field needs, and applies the migration and the view that bring it',
  async () => {
    const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
    const read = (path: string) => readFileSync(join(folder, path), 'utf8')
    const field = (name: string) =>
      `"${name}": { "title": "${name}", "type": ["string", "null"], "readOnly": true },`
    const addField = (entity: string, name: string) => {
      const path = `schemas/entities/${entity}.json`
      write(path, read(path).replace('"first_name":', `${field(name)} "first_name":`))
    }
    addField('client', 'shoe_size')
    await mistake().filter({ hasText: 'alter table clients add shoe_size text;' }).waitFor()
    write(
      'src/server/ops/migrations/900_shoe.sql',
      '-- kind: expand\nalter table clients add shoe_size text;\n',
    )
    await mistake().waitFor({ state: 'detached', timeout: RESTART })

    addField('clientRow', 'shoe_size')
    await mistake().filter({ hasText: 'src/server/ops/views/client_rows.sql' }).waitFor()
    const view = 'src/server/ops/views/client_rows.sql'
    write(view, read(view).replace('\nfrom', ', shoe_size\nfrom'))
    await mistake().waitFor({ state: 'detached', timeout: RESTART })
    await page.goto('/dashboard/allocations-required')
    await page.locator('.list-table:not([aria-hidden]) tbody tr').first().waitFor()
  },
)
