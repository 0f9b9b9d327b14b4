import { Client } from 'pg'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { FULL, itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { type Caller, signIn as signInByHttp } from '../server/context.ts'
import { createCase } from '../server/newCase.ts'
import { expectAccessible } from './accessible.ts'
import { answerTo, change } from './casePage.ts'
import { describeProduct, errorsOf, PASSWORD } from './context.ts'
import { chooseCaseType } from './fillForm.ts'

const routes = new Set(Object.values(contract.screens).map(({ route }) => route))

/** The demo sign-ins by the specification's role, and where sections 2 and 6 send that role first. */
const SIGN_INS: [username: string, role: string, lands: string][] = [
  ['admin', 'SystemAdministrator', '/dashboard/management'],
  ['manager', 'AdvocateManager', '/dashboard/allocations-required'],
  ['partnermanager', 'PartnerManager', '/dashboard/allocations-required'],
  ['volunteer', 'Volunteeradvocate', '/dashboard/my-cases'],
  ['advocate', 'Advocate', '/dashboard/my-cases'],
  ['hub', 'HUB', '/dashboard/my-cases'],
  ['partner', 'Partner', '/dashboard/my-cases'],
  ['hubmanager', 'HubManager', '/dashboard/hub'],
  ['commissioner', 'CommissionerAdvocate', '/reports/commissioner'],
]

const ADMIN = 'SystemAdministrator'
const MANAGERS = 'AdvocateManager HubManager PartnerManager'
const REFERRALS = `HubManager HUB ${ADMIN}`
const CASEWORK = 'Advocate AdvocateManager Volunteeradvocate HubManager HUB Partner PartnerManager'
const EVERY_ROLE = `${CASEWORK} ${ADMIN} CommissionerAdvocate`
/** The dashboard's menu: its labels in the order of section 2, and who may open each by section 6. */
const DASHBOARD: [label: string, address: string, roles: string][] = [
  ['Management', 'management', ADMIN],
  ['Admin Site', 'admin-site', ADMIN],
  ['Public Referral Forms', 'referral-forms', ADMIN],
  ['AXES', 'axes', ADMIN],
  // Our addition: what the operators of the service look at.
  ['Health', 'health', ADMIN],
  ['My Hub Staff', 'hub', 'HubManager'],
  ['Allocations required', 'allocations-required', MANAGERS],
  ['Invalid cases', 'invalid-cases', `${ADMIN} ${MANAGERS}`],
  // Ours: what a leaver's work needs.
  ['Work left behind', 'left-work', `${ADMIN} ${MANAGERS}`],
  // Ours: what nobody has touched.
  ['My Team', 'team', MANAGERS],
  ['My Advocates', 'advocates', 'PartnerManager AdvocateManager'],
  ['My Cases', 'my-cases', 'Advocate Volunteeradvocate HUB Partner'],
  // Ours: what is due by the deadlines of case types.
  ['Deadlines', 'deadlines', CASEWORK],
  ['Referral Requests', 'referral-requests', REFERRALS],
  ['Referral Messages', 'referral-messages', REFERRALS],
  ['Case Uploads', 'case-uploads', REFERRALS],
  ['Activity during past week', 'activity', 'HUB HubManager'],
  ['Time Distribution', 'time-distribution', CASEWORK],
  // Ours: the reports of managers and administrators.
  ['Workload', 'all-staff', `${ADMIN} ${MANAGERS}`],
  ['Reports', '/reports/compose', `${ADMIN} ${MANAGERS}`],
  ['Old Cases', 'old-cases', CASEWORK],
  // Ours: what closing an issue left open.
  ['Steps of Closed Issues', 'left-steps', `${ADMIN} ${MANAGERS}`],
  // Ours: section 2 names no entry for the lists of clients and cases that its calls imply.
  ['Cases', 'cases', EVERY_ROLE],
  ['Clients', 'clients', EVERY_ROLE],
  // Ours: one person, once.
  ['Likely the same person', 'likely-pairs', ADMIN],
  ['Questions about people', 'client-questions', `${CASEWORK} ${ADMIN}`],
  ['Module Constructor', 'module-constructor', ADMIN],
  ['Figures', '/reports/commissioner', `CommissionerAdvocate ${ADMIN} ${MANAGERS}`],
  ['Deadlines met', '/reports/commissioner/deadlines', `CommissionerAdvocate ${ADMIN} ${MANAGERS}`],
  ['My Tasks', 'my-tasks', `CommissionerAdvocate ${ADMIN} ${MANAGERS}`],
  ['My activities', 'my-activities', EVERY_ROLE],
]
/** The navigation's own entries, in its order; those that lead to a screen with its address. */
const SIDE: [label: string, address?: string][] = [
  ['New Case', '/case'],
  ['New Action', '/action/new'],
  ['Dashboard'],
  ['New Activity', '/activity/new'],
  ['Search', '/search'],
  ['User Manual'],
  ['Profile', '/profile'],
  ['Log Out'],
]

/** The panels that entries of the navigation open beside the page. */
const PANELS: Record<string, string> = { 'New Action': 'Log action', 'New Activity': 'Log activity' }

const e2e = describeProduct()
let advocate: Caller
beforeAll(async () => {
  advocate = await signInByHttp(contract, e2e.product.address, 'advocate', PASSWORD)
})

const menu = (page: Page, name: string) => page.getByRole('navigation', { name, exact: true })
const pathOf = (page: Page) => new URL(page.url()).pathname
const PLACE = 'Name of hospital, home or address'
const WHERE = 'Where the person is now'

const addressOf = (to: string) => (to.startsWith('/') ? to : `/dashboard/${to}`)

/** What a role is shown of what the product has: a screen that is not there has no entry. */
function dashboardOf(role: string): string[] {
  const mine = DASHBOARD.filter(
    ([, to, roles]) => roles.split(' ').includes(role) && routes.has(addressOf(to)),
  )
  return mine.map(([label]) => label)
}

function shownSide(): string[] {
  return SIDE.filter(([, to]) => !to || routes.has(to)).map(([label]) => label)
}

/** In `npm test` the first of these entries is followed (screens.test.ts draws all screens), with FULL=1 each. */
function followed(labels: string[]): string[] {
  return FULL ? labels : labels.slice(0, 1)
}

/** Waits until a page stands: its heading is there and nothing in it is loading. */
async function settle(page: Page): Promise<void> {
  await page.locator('main h1').waitFor()
  await page.waitForFunction(() => !document.querySelector('.skeleton, [aria-busy="true"]'))
}

async function fillLogin(page: Page, username: string): Promise<void> {
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((url) => !['/login', '/dashboard'].includes(url.pathname))
}

async function endSessions(): Promise<void> {
  const client = new Client({ connectionString: e2e.databaseUrl })
  await client.connect()
  await client.query('delete from session')
  await client.end()
  advocate = await signInByHttp(contract, e2e.product.address, 'advocate', PASSWORD)
}

/** In `npm test` one of the nine; where each role lands is seen by screens.test.ts too, its menus by appShell.test.tsx. */
const TRIED = SIGN_INS.filter(([username]) => FULL || username === 'hub')

describe('each of the nine sign-ins', () => {
  it.concurrent.each(TRIED)(
    '%s lands as the specification says, and the entries of its menus lead to their pages',
    async (username, role, lands) => {
      const page = await e2e.visit()
      await page.goto('/login')
      await fillLogin(page, username)
      expect(pathOf(page)).toBe(lands)
      await settle(page)
      const labels = dashboardOf(role)
      const dashboard = menu(page, 'Dashboard').getByRole('link')
      expect(await dashboard.locator('.side-label').allTextContents()).toEqual(labels)
      const side = menu(page, 'Main').locator('li:not([aria-label=Dashboard] *) > :is(a, button)')
      expect(await side.locator('.side-label').allTextContents()).toEqual(shownSide())
      const manual = await menu(page, 'Main')
        .getByRole('link', { name: /^User Manual/ })
        .getAttribute('href')
      expect((await page.request.get(manual!)).status()).toBe(200)
      for (const label of followed(labels)) {
        await menu(page, 'Dashboard')
          .getByRole('link', { name: new RegExp(`^${label}( \\d.*)?$`) })
          .click()
        await page.getByRole('heading', { level: 1, name: label }).waitFor()
        await settle(page)
        expect(await page.locator('.error-card, .bp6-toast').allTextContents(), label).toEqual([])
      }
      const entries = shownSide().filter((one) => !one.includes('Log Out') && !one.includes('Manual'))
      for (const label of followed(entries)) {
        await menu(page, 'Main').getByRole('link', { name: label, exact: true }).click()
        const panel = page.getByRole('dialog', { name: PANELS[label] })
        if (PANELS[label]) await panel.waitFor()
        await settle(page)
        expect(await page.locator('.error-card, .bp6-toast').allTextContents(), label).toEqual([])
        if (!PANELS[label]) continue
        await page.keyboard.press('Escape')
        await panel.waitFor({ state: 'detached' })
      }
      expect(errorsOf(page)).toEqual([])
      await page.context().close()
    },
  )
})

describe('signing out', () => {
  it('needs a confirmation, warns of an unfinished case, and leaves nothing to see behind the back button', async () => {
    const page = await e2e.signIn('advocate')
    await page.locator('.list-table:not([aria-hidden]) tbody a').first().click()
    await change(page, WHERE)
    await page.getByLabel(PLACE).waitFor()
    const name = (await page.locator('h1').textContent())!.replace(/^.*: /, '')
    await menu(page, 'Main').getByRole('button', { name: 'Log Out' }).click()
    const question = page.getByRole('alertdialog', { name: 'Are you sure you want to sign out?' })
    await question.waitFor()
    expect(await question.textContent()).toBe('Are you sure you want to sign out?NoYes')
    await question.getByRole('button', { name: 'No' }).click()
    await question.waitFor({ state: 'detached' })

    await menu(page, 'Main').getByRole('link', { name: 'New Case' }).click()
    await chooseCaseType(page, 'Care Act')
    await menu(page, 'Main').getByRole('button', { name: 'Log Out' }).click()
    await question.getByText('You will lost all case changes.').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('No')
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Yes' }).click()
    await page.waitForURL('/thanks')
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
    for (const _ of ['the case', 'My Cases']) {
      await page.goBack()
      await page.waitForURL('/login')
      expect(await page.locator('body').textContent()).not.toContain(name)
    }
    expect(errorsOf(page)).toEqual([])
    await page.context().close()
  })
})

describe('a session that ends while a form is being filled', () => {
  const typeAndSave = async (page: Page, id: number) => {
    await page.goto(`/cases/${id}/details`)
    // The first input makes the page report activity, which must reach the server before the session ends.
    await Promise.all([page.waitForResponse(/ping/), change(page, WHERE)])
    await page.getByLabel(PLACE).fill('Typed before the end')
    await endSessions()
    // The stream of versions may tell the page of the end before Save is pressed.
    const save = page.getByRole('button', { name: 'Save' })
    const pressed = save.click({ timeout: 3000 }).catch(() => undefined)
    await page.waitForURL('/login')
    await pressed
    await page.getByText(/^You were signed out because your session was ended/).waitFor()
    expect(await page.locator('.bp6-toast').count()).toBe(0)
  }

  it('comes back to the same address, where what was typed is offered again and can be saved', async () => {
    const { id } = await createCase(advocate, 1)
    const page = await e2e.signIn('advocate')
    await typeAndSave(page, id)
    await expectAccessible(page)
    await fillLogin(page, 'advocate')
    expect(pathOf(page)).toBe(`/cases/${id}/details`)
    const note = page.getByText('What you typed here before was not saved')
    await note.waitFor()
    expect(await answerTo(page, PLACE).count()).toBe(0)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Put it back' }).click()
    expect(await page.getByLabel(PLACE).inputValue()).toBe('Typed before the end')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.bp6-toast').getByText('Saved').waitFor()
    const { body } = await advocate('cases.read', { params: { id } })
    expect(body.answers.place_name).toBe('Typed before the end')
    expect(await note.count()).toBe(0)
    await page.context().close()
  })

  it('never shows it to somebody else', async () => {
    const { id, client, issue } = await createCase(advocate, 1)
    await advocate('issues.update', { params: { id: issue }, body: { advocate: advocate.id } })
    const page = await e2e.signIn('advocate')
    await typeAndSave(page, id)
    await fillLogin(page, 'manager')
    expect(pathOf(page)).toBe('/dashboard/allocations-required')
    // By clicks alone: loading the page anew would forget everything in any case.
    await page.getByRole('combobox', { name: 'Find a client' }).pressSequentially(String(client))
    await page.getByRole('option', { name: `ID ${client}` }).click()
    await page.locator('main').getByRole('link', { name: 'Cases', exact: true }).click()
    await page.getByRole('link', { name: String(id), exact: true }).click()
    await change(page, WHERE)
    expect(await page.getByLabel(PLACE).inputValue()).toBe('')
    expect(await page.locator('body').textContent()).not.toContain('What you typed here before')
    await page.context().close()
  })
})

describe('an address that is not for this person', () => {
  it('of a screen of another role leads to their own dashboard', async () => {
    const page = await e2e.signIn('advocate')
    for (const address of ['/dashboard/management', '/dashboard/module-constructor/1', '/dashboard/hub/4']) {
      await page.goto(address)
      await page.waitForURL('/dashboard/my-cases')
    }
    await settle(page)
    expect(await page.locator('.bp6-toast').count()).toBe(0)
    await page.context().close()
  })

  itInFull(
    'of a record that is missing or foreign says so, by a title of its own, and leads away',
    async () => {
      const page = await e2e.signIn('advocate')
      const foreign = await foreignClient()
      for (const [address, what] of [
        [`/clients/${foreign.id}`, 'Client'],
        ['/clients/nobody', 'Client'],
        ['/cases/987654', 'Case'],
        ['/cases/1/issues/987654', 'Issue'],
      ]) {
        await page.goto(address)
        const heading = page.getByRole('heading', { level: 1 })
        await heading.waitFor()
        expect(await heading.textContent()).toBe(
          `There is no such ${what.toLowerCase()}, or you may not see it`,
        )
        expect(await page.title()).toMatch(new RegExp(`^${what}.* – Advocacy casework$`))
        expect(await page.locator('body').textContent()).not.toContain(foreign.last_name)
      }
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Go back' }).click()
      await page.waitForURL('/dashboard/my-cases')
      expect(errorsOf(page)).toEqual([])
      await page.context().close()
    },
  )
})

/** A client that the administrator sees and the advocate does not. */
async function foreignClient(): Promise<{ id: number; last_name: string }> {
  const admin = await signInByHttp(contract, e2e.product.address, 'admin', PASSWORD)
  const { body } = await admin('clients.list', { query: { page_size: 50 } })
  for (const client of body.data) {
    const { status } = await advocate('clients.read', { params: { id: client.id } })
    if (status === 404) return client
  }
  throw new Error('The advocate sees every client')
}
