import { expect, it } from 'vitest'
import * as limits from '../../src/contract/limits.ts'
import { LOOKUP_LIMIT } from '../../src/contract/lookupCall.ts'
import { STATUS } from '../../src/contract/status.ts'
import { contract } from '../loadedContract.ts'

it('the constants are those of section 9', () => {
  expect(limits).toMatchObject({
    DEFAULT_PAGE_SIZE: 10,
    MAX_PAGE: { keyed: 2000, config: 1000, admin: 5000 },
    SUCCESS_NOTICE_MS: 3000,
    QUICK_SEARCH_DEBOUNCE_MS: 300,
    NOTIFICATION_INTERVAL_MS: 3_600_000,
    PING_THROTTLE_MS: 306_000,
    INACTIVITY_MS: 612_000,
    TOKEN_KEY: 'token',
    SHEET_NAME: 'data',
  })
  expect([STATUS.active, STATUS.onLeave, LOOKUP_LIMIT]).toEqual([1, 4, 2000])
})

it('descriptors and screens say the same', () => {
  const { endpoints, screens } = contract
  expect(endpoints['clients.list'].pageSize).toBe(50)
  expect(endpoints['validation.issues'].pageSize ?? limits.DEFAULT_PAGE_SIZE).toBe(10)
  const kinds = Object.values(endpoints).map(({ largestPage = 'keyed' }) => largestPage)
  expect(new Set(kinds)).toEqual(new Set(Object.keys(limits.MAX_PAGE)))
  const [{ period }] = Object.values(screens)
    .filter(({ route }) => route === '/dashboard/time-distribution')
    .map((screen) => ({ period: 'defaults' in screen ? screen.defaults : tabDefaults(screen) }))
  expect(period).toMatchObject({ start: limits.PERIOD_START, end: 'today' })
})

/** The defaults of the lists that stand on the tabs of a screen, which all have the same. */
function tabDefaults(screen: object): unknown {
  const { tabs = [] } = screen as { tabs?: string[] }
  const [first, ...others] = tabs.map((tab) => (contract.screens[tab] as { defaults?: unknown }).defaults)
  for (const other of others) expect(other).toEqual(first)
  return first
}
