// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

/** The date functions of the client, loaded in a page with this time zone. */
async function inZone(zone: string | undefined) {
  vi.resetModules()
  document.head.innerHTML = zone ? `<meta name="time-zone" content="${zone}">` : ''
  return {
    ...(await import('../../src/engine/core/timeZone.ts')),
    ...(await import('../../src/engine/core/today.ts')),
    ...(await import('../../src/engine/core/dates.ts')),
  }
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-06-15T23:30:00Z'), toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
  document.head.innerHTML = ''
})

describe('the day and the time are in the time zone of the service', () => {
  it.each([
    ['Pacific/Kiritimati', '2026-06-16', '16 June 2026, 13:30'],
    ['Pacific/Pago_Pago', '2026-06-15', '15 June 2026, 12:30'],
    ['UTC', '2026-06-15', '15 June 2026, 23:30'],
    [undefined, '2026-06-16', '16 June 2026, 00:30'],
  ])('%s', async (zone, day, moment) => {
    const { today, formatDateTime, formatRelativeDate } = await inZone(zone)
    expect(today()).toBe(day)
    expect(formatDateTime('2026-06-15T23:30:00Z')).toBe(moment)
    expect(formatRelativeDate(day)).toBe('today')
  })
})

it.each(['Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'])(
  'a time typed in %s round-trips',
  async (zone) => {
    const { momentAt, wallTimeOf } = await inZone(zone)
    for (let hour = 0; hour < 365 * 24; hour += 7) {
      const moment = new Date(Date.UTC(2026, 0, 1, hour))
      const typed = wallTimeOf(moment)
      expect([typed, wallTimeOf(momentAt(typed))]).toEqual([typed, typed])
    }
    expect(wallTimeOf(momentAt('2026-06-16T00:30'))).toBe('2026-06-16T00:30')
  },
)

it('a day ends at midnight there, however often it was asked for before', async () => {
  const { today } = await inZone('Asia/Kathmandu')
  const at = (time: string) => {
    vi.setSystemTime(new Date(time))
    return today()
  }
  expect(at('2026-06-15T18:14:59Z')).toBe('2026-06-15')
  expect(at('2026-06-15T18:15:00Z')).toBe('2026-06-16')
  // A clock that is put back.
  expect(at('2026-06-15T18:14:59Z')).toBe('2026-06-15')
})

it('a typed time is a moment in the zone of the service', async () => {
  const { momentAt } = await inZone('America/New_York')
  expect(momentAt('2026-06-15T09:00').toISOString()).toBe('2026-06-15T13:00:00.000Z')
  expect(momentAt('2026-01-15T09:00').toISOString()).toBe('2026-01-15T14:00:00.000Z')
})
