import { Client } from 'pg'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Field, Group, WizardScreen } from '../../src/contract/generated.ts'
import { readData } from '../../src/server/ops/demo/data.ts'
import { FULL, itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { type Caller, signIn as signInByHttp } from '../server/context.ts'
import { expectAccessible } from './accessible.ts'
import { describeProduct, errorsOf, PASSWORD } from './context.ts'
import { chooseCaseType, fillForm, readForm, readSections } from './fillForm.ts'

const [, ...LATER] = (contract.screens['new-case'] as WizardScreen).steps
interface CaseType {
  label: string
}
const CASE_TYPES = readData<CaseType[]>('case-types.json')
/** In `npm test` one case type is filled whole, with FULL=1 all of them. */
const FILLED = CASE_TYPES.slice(0, FULL ? undefined : 1)
const e2e = describeProduct()
let advocate: Caller
beforeAll(async () => {
  advocate = await signInByHttp(contract, e2e.product.address, 'advocate', PASSWORD)
})

const next = (page: Page) => page.getByRole('button', { name: 'Next' }).click()
const step = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function begin(page: Page, { label }: CaseType): Promise<void> {
  await page.goto('/case')
  await chooseCaseType(page, label)
  await next(page)
  await step(page, 'Client')
}

const newClient = (page: Page) => page.getByText('New client', { exact: true }).click()
const draftOf = (page: Page) => Number(new URL(page.url()).searchParams.get('draft'))
/** The draft is saved one second after the last key. */
const waitForDraft = (page: Page) => page.waitForURL(/draft=\d+/)

/** The document of the page's draft on the server. */
async function savedDocument(page: Page) {
  const { body } = await advocate('drafts.read', { params: { id: draftOf(page) } })
  return body.payload.document
}

async function nameClient(page: Page, first: string, last: string): Promise<void> {
  await newClient(page)
  await page.getByLabel('First name').fill(first)
  await page.getByLabel('Last name').fill(last)
}

async function query<T extends object>(text: string): Promise<{ rows: T[] }> {
  const client = new Client({ connectionString: e2e.databaseUrl })
  await client.connect()
  const { rows } = await client.query<T>(text)
  await client.end()
  return { rows }
}

async function endSessions(): Promise<void> {
  await query('delete from session')
  advocate = await signInByHttp(contract, e2e.product.address, 'advocate', PASSWORD)
}

async function clientsCalled(term: string): Promise<{ id: number }[]> {
  return (await advocate('search.quick', { query: { term } })).body
}

/** Answers of a step as the record's own screen names them: `case.answers.ward` → `answers.ward`. */
function of(record: string, given: Record<string, string>): Record<string, string> {
  // What an advocate sets at creation and only reads afterwards.
  const readOnly = ['case.contract', 'issue.advocate']
  const own = Object.entries(given).filter(
    ([path]) => path.startsWith(`${record}.`) && !readOnly.includes(path),
  )
  return Object.fromEntries(own.map(([path, value]) => [path.slice(record.length + 1), value]))
}

describe('a case in six steps', () => {
  it.each(FILLED)(
    '$label: every question answered, saved, opened again with the same answers',
    async (type) => {
      const page = await e2e.signIn('advocate')
      const given: Record<string, Record<string, string>> = {}
      await begin(page, type)
      await newClient(page)
      for (const { title, at = '' } of LATER) {
        await step(page, title)
        await fillForm(page)
        // With the same answers each time, the person is known from the second one on.
        if (title === 'Client' && type !== FILLED[0])
          await page.getByLabel('Why is this another client?').fill('Twins of one number')
        given[at] = of(at, await readForm(page))
        expect(Object.keys(given[at]).length, title).toBeGreaterThan(2)
        await next(page)
      }
      await step(page, 'Check your answers')
      await page.getByRole('button', { name: 'Confirm and save' }).click()
      await page.waitForURL(/\/cases\/\d+\/details/)
      const id = Number(/\/cases\/(\d+)/.exec(page.url())![1])
      const { body: made } = await advocate('cases.read', { params: { id } })
      const { body: issues } = await advocate('cases.issues', { params: { id } })
      const issue = issues.data[0].id
      for (const [at, address] of [
        ['case', `/cases/${id}/details`],
        ['monitoring', `/cases/${id}/monitoring`],
        ['issue', `/cases/${id}/issues/${issue}/details`],
        ['client', `/clients/${made.client}/info`],
      ]) {
        await page.goto(address)
        await page
          .getByRole('button', { name: /^Change/ })
          .first()
          .waitFor()
        expect(await readSections(page), address).toMatchObject(given[at])
      }
      expect(errorsOf(page)).toEqual([])
    },
  )

  itInFull(
    'asks for the service first, validates each step by itself and marks those that are done',
    async () => {
      const page = await e2e.signIn('advocate')
      const steps = page.getByRole('navigation', { name: 'Steps' }).getByRole('listitem')
      await page.goto('/case/monitoring')
      await step(page, 'Person and case type')
      expect(await steps.count()).toBe(1)
      await begin(page, CASE_TYPES[0])
      expect(await steps.count()).toBe(6)
      expect(await steps.nth(0).textContent()).toBe('Person and case type, completed')
      await newClient(page)
      await next(page)
      await page.getByRole('link', { name: 'Enter last name' }).click()
      expect(await page.getByLabel('Last name').evaluate((box) => box === document.activeElement)).toBe(true)
      await expectAccessible(page)
      await page.getByLabel('First name').fill('Ada')
      await page.getByLabel('Last name').fill('Byron')
      await page.getByLabel('Postcode').fill('AL10 8XG')
      await next(page)
      await step(page, 'Case details')
      expect(await steps.nth(1).textContent()).toBe('Client, completed')
      // What is offered follows the client until somebody answers.
      expect(await page.getByLabel('Postcode').inputValue()).toBe('AL10 8XG')
      await page.goBack()
      await step(page, 'Client')
      await page.getByLabel('Postcode').fill('AL8 6AA')
      await next(page)
      await step(page, 'Case details')
      expect(await page.getByLabel('Postcode').inputValue()).toBe('AL8 6AA')
      await page.goBack()
      await step(page, 'Client')
      expect(await page.getByLabel('First name').inputValue()).toBe('Ada')
      await page.reload()
      expect(await page.getByLabel('First name').inputValue()).toBe('Ada')
    },
  )

  it('shows what is missing at the end, changes an answer from there, and saves once however often Save is pressed', async () => {
    const page = await e2e.signIn('advocate')
    await begin(page, CASE_TYPES[1])
    await nameClient(page, 'Grace', 'Doubleday')
    await next(page)
    await step(page, 'Case details')
    await waitForDraft(page)
    // The draft may have been created on an earlier step.
    await expect
      .poll(async () => (await savedDocument(page)).client)
      .toMatchObject({ last_name: 'Doubleday' })
    await page.goto(`/case/check?draft=${draftOf(page)}`)
    await step(page, 'Check your answers')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Confirm and save' }).click()
    await step(page, 'Case details')
    await page.getByRole('heading', { name: 'There is a problem' }).waitFor()
    await fillForm(page)
    await next(page)
    await step(page, 'Check your answers')
    await page.getByRole('link', { name: 'Change issue details' }).click()
    await step(page, 'Issue details')
    await fillForm(page)
    await next(page)
    await step(page, 'Check your answers')
    await page.getByRole('button', { name: 'Confirm and save' }).dblclick()
    await page.waitForURL(/\/cases\/\d+\/details/)
    const [client, ...others] = await clientsCalled('Doubleday')
    expect(others).toEqual([])
    const { body } = await advocate('clients.cases', { params: { id: client.id } })
    expect(body.data).toHaveLength(1)
    const { body: drafts } = await advocate('drafts.list')
    expect(drafts.data.filter((d: { title: string }) => d.title.includes('Doubleday'))).toEqual([])
  })

  itInFull('warns of a client who is there already and takes that one', async () => {
    const page = await e2e.signIn('advocate')
    const { body } = await advocate('clients.list')
    const known = body.data[0]
    await begin(page, CASE_TYPES[2])
    await nameClient(page, known.first_name, known.last_name)
    const likely = page.locator('.likely')
    await likely.getByRole('button').first().waitFor()
    await expectAccessible(page)
    await likely.getByRole('button').first().click()
    await next(page)
    await step(page, 'Case details')
    await waitForDraft(page)
    await expect.poll(async () => (await savedDocument(page)).client).toEqual(expect.any(Number))
  })

  itInFull('asks before another service removes answers, and keeps them after Cancel', async () => {
    const page = await e2e.signIn('advocate')
    await begin(page, CASE_TYPES[0])
    await nameClient(page, 'Mary', 'Somerville')
    await next(page)
    await step(page, 'Case details')
    await page.getByLabel('Name of hospital, home or address').fill('The Infirmary')
    await page
      .getByRole('navigation', { name: 'Steps' })
      .getByRole('link', { name: /^Person and case type/ })
      .click()
    await step(page, 'Person and case type')
    await chooseCaseType(page, CASE_TYPES[3].label)
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: /^Case details/ }).click()
    expect(await page.getByLabel('Name of hospital, home or address').inputValue()).toBe('The Infirmary')
  })
})

describe('a person half remembered on the telephone', () => {
  it('is found in the box with a slip and a date in words, fills the second step, and is one key away elsewhere', async () => {
    const { rows } = await query<{ id: number; first_name: string; last_name: string; dob: string }>(`
      select c.id, c.first_name, c.last_name, to_char(c.dob, 'FMDD FMMonth YYYY') as dob from clients c
      join issues i on i.client = c.id join staff s on s.id = i.advocate
      where s.username = 'advocate' and c.status = 1 and c.dob is not null and c.last_name ~ '^[A-Z][a-z]{5,}$' order by c.id limit 1`)
    const [{ first_name, last_name, dob, id }] = rows
    const slip = last_name[0] + last_name[2].toLowerCase() + last_name[1] + last_name.slice(3)
    const page = await e2e.signIn('advocate')
    await page.goto('/case')
    const box = page.getByRole('combobox', { name: 'Who is it about?' })
    await box.fill(`${slip} ${dob}`)
    const found = page.getByRole('option', { name: new RegExp(`${last_name}.* ID ${id}`) })
    await found.waitFor()
    await page.getByText('Same date of birth', { exact: false }).first().waitFor()
    await expectAccessible(page)
    await found.click()
    await page
      .getByRole('region', { name: 'Chosen client' })
      .getByText(`${first_name} ${last_name}`)
      .waitFor()
    await chooseCaseType(page, CASE_TYPES[0].label)
    await next(page)
    await step(page, 'Client')
    await page.getByRole('button', { name: 'Change the client' }).waitFor()
    expect(errorsOf(page)).toEqual([])

    await page.goto('/quick-case')
    await nameClient(page, first_name, slip)
    await page.getByLabel('Last name').press('Tab')
    await page.getByText('This client may be known already').waitFor()
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await page.getByText('This client may be known already').isVisible(), String(width)).toBe(true)
    }
    await expectAccessible(page)
    await page.keyboard.press('F2')
    await page.getByRole('button', { name: 'Change the client' }).waitFor()
  })
})

describe('a draft', () => {
  itInFull(
    'is kept from the first change, and gone on with in another browser after this one died',
    async () => {
      const first = await e2e.signIn('advocate')
      await begin(first, CASE_TYPES[0])
      await nameClient(first, 'Caroline', 'Herschel')
      await next(first)
      await step(first, 'Case details')
      await first.getByLabel('Name of hospital, home or address').fill('Slough House')
      await waitForDraft(first)
      await expect
        .poll(async () => (await savedDocument(first)).case?.answers?.place_name)
        .toBe('Slough House')
      await first.context().close()

      const page = await e2e.signIn('advocate')
      await page.goto('/dashboard/draft-cases')
      await page.getByRole('link', { name: /Herschel/ }).click()
      await step(page, 'Case details')
      expect(await page.getByLabel('Name of hospital, home or address').inputValue()).toBe('Slough House')
    },
  )

  itInFull('is saved without asking by Save draft; Leave gives it up, and stays until then', async () => {
    const page = await e2e.signIn('advocate')
    await begin(page, CASE_TYPES[0])
    await nameClient(page, 'Maria', 'Mitchell')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.waitForURL(/draft-cases/)
    await page.getByRole('link', { name: /Mitchell/ }).click()
    await step(page, 'Client')
    await page.getByLabel('First name').fill('Mary')
    const id = draftOf(page)
    await page.getByRole('link', { name: 'Profile' }).click()
    const question = page.getByRole('alertdialog')
    await expect
      .poll(() =>
        question
          .getByText('Continue adding case')
          .evaluate((b) => b.closest('button') === document.activeElement),
      )
      .toBe(true)
    expect(await question.textContent()).toContain('If you leave this page all changes will be lost')
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Continue adding case' }).click()
    expect(await page.getByLabel('First name').inputValue()).toBe('Mary')
    await page.getByRole('link', { name: 'Profile' }).click()
    await question.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.waitForURL('/profile')
    expect((await advocate('drafts.read', { params: { id } })).status).toBe(404)
  })

  itInFull('lists what changed in the case type meanwhile, and keeps the answers', async () => {
    const page = await e2e.signIn('advocate')
    await begin(page, CASE_TYPES[1])
    await nameClient(page, 'Ida', 'Noddack')
    await next(page)
    await step(page, 'Case details')
    await page.getByLabel('Ward or unit').first().fill('Ward 9')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.waitForURL(/draft-cases/)

    const admin = await signInByHttp(contract, e2e.product.address, 'admin', PASSWORD)
    const { body: types } = await admin('caseTypes.list')
    const { id } = types.data.find((t: { label: string }) => t.label === CASE_TYPES[1].label)
    const { body: type } = await admin('caseTypes.read', { params: { id } })
    const groups = structuredClone(type.case_meta)
    const group = groups.find((g: Group) => g.fields.some((f) => f.name === 'ward'))
    group.fields.find((f: Field) => f.name === 'ward').attrs.is_on = false
    group.fields.push({ name: 'floor', label: 'Floor', type: 'text', attrs: { is_on: true } })
    const saved = await admin('caseTypes.update', {
      params: { id },
      body: { case_meta: groups, version: type.version },
    })
    expect(saved.status).toBe(200)

    await page.getByRole('link', { name: /Noddack/ }).click()
    await step(page, 'Case details')
    const news = page.locator('.form-changed')
    await expect.poll(() => news.textContent()).toContain('New: Floor')
    expect(await news.textContent()).toContain('No longer asked: Ward or unit')
    await page.getByLabel('Floor').fill('3')
    const draft = await expect.poll(
      async () =>
        (await advocate('drafts.read', { params: { id: draftOf(page) } })).body.payload.document.case.answers,
    )
    await draft.toMatchObject({ ward: 'Ward 9', floor: '3' })

    // And once more while the wizard is open, which hears of it by itself.
    group.fields.push({ name: 'wing', label: 'Wing', type: 'text', attrs: { is_on: true } })
    const { version } = saved.body
    await admin('caseTypes.update', { params: { id }, body: { case_meta: groups, version } })
    const published = Date.now()
    await page.getByLabel('Wing').waitFor()
    expect(Date.now() - published).toBeLessThan(2000)
    expect(await news.textContent()).toContain('Wing')
    expect(await page.getByLabel('Floor').inputValue()).toBe('3')
  })

  itInFull('outlives the session: what was typed is there after signing in again', async () => {
    const page = await e2e.signIn('advocate')
    await begin(page, CASE_TYPES[0])
    await nameClient(page, 'Emmy', 'Noether')
    await waitForDraft(page)
    await expect.poll(async () => (await savedDocument(page)).client?.last_name).toBe('Noether')
    await endSessions()
    await page.getByLabel('First name').fill('Amalie')
    await page.waitForURL(/\/login/)
    await page.getByLabel('User name').fill('advocate')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await step(page, 'Client')
    expect(await page.getByLabel('First name').inputValue()).toBe('Amalie')
    expect(await page.getByLabel('Last name').inputValue()).toBe('Noether')
  })
})
