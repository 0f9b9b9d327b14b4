import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { FULL, itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { expectAccessible } from './accessible.ts'
import { expectSampleToLookRight, expectToLookRightEverywhere } from './appearance.ts'
import { describeProduct, navigateTo } from './context.ts'
import { addressOf, firstRoleFor, partsOf, screens, settle } from './everyScreen.ts'
import { expectToFit } from './expectToFit.ts'

const SIGNED_OUT = {
  login: '/login',
  'login-reset': '/login/reset',
  thanks: '/thanks',
  'reset-password': '/reset-password/gone',
  'public-referral': '/refer/4',
  'referral-status': '/referral-status',
}

const e2e = describeProduct()

/** In `npm test` a record stands for all, narrow in the dark and wide in forced colours. */
const LOOKED_AT = FULL ? screens.map(([name]) => name) : ['case-details']

describe('looks right at every width, in light, dark and forced colours:', () => {
  const pages = new Map<string, Promise<Page>>()
  const pageOf = (demo: string) => {
    if (!pages.has(demo)) pages.set(demo, e2e.signIn(demo))
    return pages.get(demo)!
  }

  it.each(LOOKED_AT)('%s', async (name) => {
    const { demo } = firstRoleFor(name)
    const page = await pageOf(demo)
    await navigateTo(page, addressOf(contract.screens[name], await partsOf(e2e, demo))!)
    await settle(page)
    await (FULL ? expectToLookRightEverywhere : expectSampleToLookRight)(page, name)
  })

  itInFull.each(Object.entries(SIGNED_OUT))('%s', async (name, address) => {
    const page = await e2e.visit()
    await page.goto(address)
    await settle(page)
    await expectToLookRightEverywhere(page, name)
    await page.context().close()
  })
})

it.each(FULL ? ['/login', '/thanks'] : ['/login'])('%s is accessible, wide and narrow', async (path) => {
  for (const width of [1280, 320]) {
    const page = await e2e.visit({ width, height: 800 })
    await page.goto(path)
    await settle(page)
    await expectAccessible(page, { contrast: true })
    await expectToFit(page)
  }
})
