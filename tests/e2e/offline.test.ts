import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { type Caller, signIn as signInByHttp } from '../server/context.ts'
import { newCase } from '../server/newCase.ts'
import { expectAccessible } from './accessible.ts'
import { answerTo, button, change, waitForToast } from './casePage.ts'
import { describeProduct, errorsOf, navigateTo, PASSWORD, waitForIdle } from './context.ts'
import { type Cut, type CuttableNetwork, cuttableNetwork } from './cutNetwork.ts'
import { ownCase } from './ownCase.ts'

const PLACE = 'Name of hospital, home or address'
const WHERE = 'Where the person is now'
const BAR = 'No connection. What you type is kept on this page until it is back'
const WAITING = 'Waiting for the connection. It will be sent automatically.'
const SENT = 'The connection is back: what was waiting is sent'
const e2e = describeProduct()
let advocate: Caller
beforeAll(async () => {
  advocate = await signInByHttp(contract, e2e.product.address, 'advocate', PASSWORD)
})

const bar = (page: Page) => page.locator('.connection-bar')
const note = (page: Page) => page.locator('.waiting-note')
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Log action', exact: true })
const notesOf = async (issue: number) => {
  const { body } = await advocate('actions.ofIssue', { params: { id: issue } })
  return body.data.map((action: { notes: string }) => action.notes)
}

/** The types that the advocate used most stand first, once they are loaded. */
async function chooseType(page: Page): Promise<void> {
  const types = dialog(page).getByRole('radiogroup', { name: 'Type' }).getByRole('radio')
  await types.nth(1).waitFor()
  await types.first().check()
}

async function openLogAction(page: Page, id: number): Promise<void> {
  await page.goto(`/cases/${id}/chronology`)
  // A page that is cut off before its style sheets arrived stays without them.
  await page.getByRole('list', { name: 'Chronology' }).first().waitFor()
  await page.getByRole('button', { name: 'Log action', exact: true }).click()
  await chooseType(page)
}

describe('without a connection', () => {
  it('a save says that it waits, leaving asks, and it is sent once when the connection is back', async () => {
    const page = await e2e.signIn('advocate')
    const { id, issue } = await ownCase(advocate, 'Waiter')
    await openLogAction(page, id)
    await page.context().setOffline(true)
    await bar(page).getByText(BAR).waitFor()
    await dialog(page)
      .getByLabel(/^Notes/)
      .fill('Rang the ward')
    await dialog(page)
      .getByRole('button', { name: /^Save(?! and)/ })
      .click()
    await note(page).getByText(WAITING).waitFor()
    await expectAccessible(page, { contrast: true })
    await look(page, 'panel')
    await page.keyboard.press('Escape')
    const question = page.getByRole('alertdialog')
    await question.getByText('Warning! You have unsaved changes').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(
      await dialog(page)
        .getByLabel(/^Notes/)
        .inputValue(),
    ).toBe('Rang the ward')
    expect(await notesOf(issue)).toEqual([])
    await page.context().setOffline(false)
    await waitForToast(page, SENT)
    await dialog(page).waitFor({ state: 'detached' })
    expect(await bar(page).textContent()).toBe('')
    expect(await notesOf(issue)).toEqual(['Rang the ward'])
    expect(errorsOf(page)).toEqual([])
    await page.context().close()
  })

  itInFull(
    'a save that is cancelled is not sent, and one whose reply was lost says that it may have arrived',
    async () => {
      const page = await e2e.signIn('advocate')
      const { id } = await ownCase(advocate, 'Canceller')
      const place = async () => (await advocate('cases.read', { params: { id } })).body.answers.place_name
      await page.goto(`/cases/${id}/details`)
      await change(page, WHERE)
      const before = await place()
      await page.context().setOffline(true)
      await bar(page).getByText(BAR).waitFor()
      await page.getByLabel(PLACE).fill('The Infirmary')
      await button(page, 'Save').click()
      await note(page).getByText(WAITING).waitFor()
      await look(page, 'record')
      await button(page, 'Cancel sending').click()
      await waitForToast(page, 'Cancelled: nothing was sent')
      await page.context().setOffline(false)
      await expect.poll(() => bar(page).textContent()).toBe('')
      expect(await page.getByLabel(PLACE).inputValue()).toBe('The Infirmary')
      expect(await place()).toBe(before)
      // The page reads again what it shows once the connection is back; the save is the next request.
      await waitForIdle(page)
      const network = await cuttableNetwork(page, { nth: 1, cut: 'reply', onCut: () => undefined })
      await button(page, 'Save').click()
      await note(page).getByText(WAITING).waitFor()
      await button(page, 'Cancel sending').click()
      await page.locator('.bp6-toast').getByText('It had already been sent, and may have arrived').waitFor()
      network.restore()
      await expect.poll(() => bar(page).textContent()).toBe('')
      await button(page, 'Save').click()
      await expect.poll(() => answerTo(page, PLACE).textContent()).toBe('The Infirmary')
      expect(await place()).toBe('The Infirmary')
      await page.context().close()
    },
  )

  itInFull('a page says that it cannot be opened now, and opens when the connection is back', async () => {
    const page = await e2e.signIn('advocate')
    const { id } = await ownCase(advocate, 'Opener')
    // The code of both kinds of screen is loaded.
    await page.goto(`/cases/${(await ownCase(advocate, 'First')).id}/details`)
    await page.getByRole('heading', { name: WHERE }).waitFor()
    await navigateTo(page, '/dashboard/my-cases')
    await page.locator('.list-table').waitFor()
    await waitForIdle(page)
    await page.context().setOffline(true)
    await bar(page).getByText(BAR).waitFor()
    await navigateTo(page, `/cases/${id}/details`)
    await page.getByText('This cannot be opened now').first().waitFor()
    await expectAccessible(page, { contrast: true })
    await look(page, 'opening')
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: WHERE }).waitFor()
    await page.context().close()
  })

  itInFull(
    'the end of the session covers the page, and the same person finds it as it was and what waits is sent',
    async () => {
      const page = await e2e.signIn('advocate')
      const { id, issue } = await ownCase(advocate, 'Coverly')
      await openLogAction(page, id)
      await page.context().setOffline(true)
      await bar(page).getByText(BAR).waitFor()
      await dialog(page)
        .getByLabel(/^Notes/)
        .fill('Before the end')
      await dialog(page)
        .getByRole('button', { name: /^Save(?! and)/ })
        .click()
      await note(page).getByText(WAITING).waitFor()
      await endSession(page)
      const cover = page.getByRole('dialog', { name: 'Sign in again' })
      await cover.getByText('There is no connection now.').waitFor()
      await expectAccessible(page, { contrast: true })
      await look(page, 'cover')
      await page.context().setOffline(false)
      await signInAt(page, 'advocate')
      await waitForToast(page, SENT)
      await dialog(page).waitFor({ state: 'detached' })
      expect(await notesOf(issue)).toEqual(['Before the end'])
      expect(new URL(page.url()).pathname).toBe(`/cases/${id}/chronology`)
      expect(errorsOf(page)).toEqual([])
      await page.context().close()
    },
  )

  itInFull(
    'the end of the session covers the page, and somebody else neither sees nor sends what waits',
    async () => {
      const page = await e2e.signIn('advocate')
      const { id, issue } = await ownCase(advocate, 'Otherly')
      await openLogAction(page, id)
      await page.context().setOffline(true)
      await bar(page).getByText(BAR).waitFor()
      await dialog(page)
        .getByLabel(/^Notes/)
        .fill('For nobody else')
      await dialog(page)
        .getByRole('button', { name: /^Save(?! and)/ })
        .click()
      await note(page).getByText(WAITING).waitFor()
      await endSession(page)
      await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
      await page.context().setOffline(false)
      const network = await cuttableNetwork(page)
      await signInAt(page, 'manager')
      await page.waitForURL((url) => url.pathname.startsWith('/dashboard/'))
      await page.locator('main h1').waitFor()
      expect(await dialog(page).count()).toBe(0)
      expect(await page.getByText('For nobody else').count()).toBe(0)
      expect(network.requests.filter((one) => /POST \/(action\/|api\/drafts)|PUT/.test(one))).toEqual([])
      expect(await notesOf(issue)).toEqual([])
      const manager = await signInByHttp(contract, e2e.product.address, 'manager', PASSWORD)
      expect((await manager('drafts.list', {})).body.data).toEqual([])
      await page.context().close()
    },
  )
})

/** Ends the session as ten minutes without a reply from the server do. */
async function endSession(page: Page): Promise<void> {
  await page.evaluate(() => {
    localStorage.setItem('lastResponse', '1')
    dispatchEvent(new Event('focus'))
  })
}

async function signInAt(page: Page, username: string): Promise<void> {
  const cover = page.getByRole('dialog', { name: 'Sign in again' })
  await cover.getByText('There is no connection now.').waitFor({ state: 'detached' })
  await cover.getByLabel('User name').fill(username)
  await cover.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await cover.getByRole('button', { name: 'Sign in' }).click()
}

/** Saves pictures at both widths for the eyes of a person, if PICTURES names a folder. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (!folder) return
  const size = page.viewportSize()!
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await page.screenshot({ path: `${folder}/${name}-${width}.png` })
  }
  await page.setViewportSize(size)
}

/** A journey that ends with a save: what a person does, and what the server must have in the end. */
interface Journey {
  prepare: (page: Page) => Promise<{ act: () => Promise<void>; expectSaved: () => Promise<void> }>
}

const JOURNEYS: Record<string, Journey> = {
  'logging an action': {
    prepare: async (page) => {
      const { id, issue } = await ownCase(advocate, 'Logger')
      await page.goto(`/cases/${id}/chronology`)
      const open = page.getByRole('button', { name: 'Log action', exact: true })
      await open.waitFor()
      return {
        act: async () => {
          await open.click()
          await chooseType(page)
          await dialog(page)
            .getByLabel(/^Notes/)
            .pressSequentially('Asked for the care plan')
          await dialog(page)
            .getByRole('button', { name: /^Save(?! and)/ })
            .click()
          await dialog(page).waitFor({ state: 'detached' })
        },
        expectSaved: async () => expect(await notesOf(issue)).toEqual(['Asked for the care plan']),
      }
    },
  },
  'the wizard': {
    prepare: async (page) => {
      const last_name = `Wizard${performance.now()}`.replace('.', '')
      const document = await newCase(advocate, 1, { client: { first_name: 'Cut', last_name } })
      const steps = (contract.screens['new-case'] as { steps: { id: string }[] }).steps
      const payload = { document, step: 'client-info', completed: steps.map(({ id }) => id), metas: {} }
      const { body } = await advocate('drafts.create', {
        body: { kind: 'case', address: '/case', title: 'x', payload },
      })
      await page.goto(`/case/client-info?draft=${body.id}`)
      await page.getByLabel('First name').waitFor()
      return {
        act: async () => {
          await page.getByLabel('First name').fill('Once')
          for (const { title } of (
            contract.screens['new-case'] as { steps: { title: string }[] }
          ).steps.slice(1)) {
            await page.getByRole('heading', { level: 1, name: title }).waitFor()
            await button(page, 'Next').click()
          }
          await button(page, 'Confirm and save').click()
          await page.waitForURL(/\/cases\/\d+\/details/)
        },
        expectSaved: async () => {
          const { body: found } = await advocate('search.quick', { query: { term: last_name } })
          expect(found.map((one: { first_name?: string; label?: string }) => one)).toHaveLength(1)
          expect(JSON.stringify(found[0])).toContain('Once')
        },
      }
    },
  },
  "a record's section": {
    prepare: async (page) => {
      const { id } = await ownCase(advocate, 'Sectioned')
      await page.goto(`/cases/${id}/details`)
      await page.getByRole('button', { name: `Change ${WHERE}` }).waitFor()
      return {
        act: async () => {
          await change(page, WHERE)
          await page.getByLabel(PLACE).fill('Ward 7')
          await button(page, 'Save').click()
          await expect.poll(() => answerTo(page, PLACE).textContent(), { timeout: 60_000 }).toBe('Ward 7')
        },
        expectSaved: async () => {
          const { body } = await advocate('cases.read', { params: { id } })
          expect(body.answers.place_name).toBe('Ward 7')
        },
      }
    },
  },
}

const CUTS: Cut[] = ['before', 'reply']

describe.each(Object.keys(JOURNEYS))('%s with the network cut at each of its requests', (name) => {
  itInFull.each<Cut>(CUTS)(
    'loses and doubles nothing, cut %s',
    async (cut) => {
      const page = await e2e.signIn('advocate')
      for (let nth = 1; ; nth++) {
        const { act, expectSaved } = await JOURNEYS[name].prepare(page)
        let words: Promise<void> | undefined
        const network: CuttableNetwork = await cuttableNetwork(page, {
          nth,
          cut,
          onCut: () => {
            words = bar(page)
              .getByText(BAR)
              .waitFor()
              .finally(() => network.restore())
          },
        })
        await act()
        await words
        await network.end()
        await expectSaved()
        const cutRequest = network.requests[nth - 1]
        if (cutRequest === undefined) break
        await expect.poll(() => bar(page).textContent(), { message: cutRequest }).toBe('')
      }
      expect(errorsOf(page)).toEqual([])
      await page.context().close()
    },
    600_000,
  )
})
