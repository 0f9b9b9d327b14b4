import { describe, expect, it } from 'vitest'
import { readSettings } from '../../src/server/core/settings.ts'
import { expiredBackups } from '../../src/server/ops/backup/retention.ts'
import { lastSlot } from '../../src/server/ops/backup/slot.ts'
import { itInFull } from '../full.ts'

const LONDON = 'Europe/London'
const HOUR = 3_600_000
const DAY = 86_400_000

describe('the daily backup is due', () => {
  it.each([
    ['02:30', '2026-11-26T02:29:59Z', '2026-11-25T02:30:00Z', 'a second early, it is that of the day before'],
    ['02:30', '2026-11-26T02:30:00Z', '2026-11-26T02:30:00Z', 'at its time'],
    ['02:30', '2026-11-26T23:59:59Z', '2026-11-26T02:30:00Z', 'until midnight'],
    ['00:00', '2026-11-26T00:00:00Z', '2026-11-26T00:00:00Z', 'at midnight'],
    ['23:59', '2026-11-26T00:00:00Z', '2026-11-25T23:59:00Z', 'a minute before midnight'],
    ['02:30', '2026-07-01T01:30:00Z', '2026-07-01T01:30:00Z', 'by summer time'],
    ['01:30', '2027-03-28T00:59:59Z', '2027-03-27T01:30:00Z', 'not before a time that is skipped'],
    ['01:30', '2027-03-28T12:00:00Z', '2027-03-28T01:30:00Z', 'after the gap, for a time that is skipped'],
    ['02:30', '2027-03-28T12:00:00Z', '2027-03-28T01:30:00Z', 'after a gap'],
    ['01:30', '2026-10-25T00:30:00Z', '2026-10-25T00:30:00Z', 'the first time, for a time that is repeated'],
    ['01:30', '2026-10-25T01:30:00Z', '2026-10-25T00:30:00Z', 'not once more, for a time that is repeated'],
    ['02:30', '2026-10-25T12:00:00Z', '2026-10-25T02:30:00Z', 'after a repeated hour'],
  ])('at %s: at %s it is that of %s: %s', (time, now, expected) => {
    expect(lastSlot(time, LONDON, new Date(now)).toISOString()).toBe(new Date(expected).toISOString())
  })

  it.each([
    'Europe/London',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Africa/Cairo',
    'Pacific/Kiritimati',
    'UTC',
  ])('in %s exactly once on each day of a year, whatever the time', (zone) => {
    for (const time of ['00:00', '01:30', '02:30', '23:45']) {
      const slots = new Set<number>()
      for (let at = Date.UTC(2026, 0, 1, 12); at < Date.UTC(2027, 0, 1, 12); at += 3 * HOUR) {
        const slot = lastSlot(time, zone, new Date(at)).getTime()
        expect(slot).toBeLessThanOrEqual(at)
        slots.add(slot)
      }
      const sorted = [...slots]
      // In order, and as many as days, of which the first moment may see that of the day before.
      expect(sorted).toEqual(sorted.toSorted((a, b) => a - b))
      expect(sorted.length).toBeGreaterThanOrEqual(365)
      expect(sorted.length).toBeLessThanOrEqual(366)
    }
  })

  it.each(['24:00', '2:30', '02:60', '0230', 'night'])('BACKUP_AT %s is refused', (BACKUP_AT) => {
    expect(() => readSettings({ BACKUP_AT, BACKUP_DIR: '/srv/backups' })).toThrow(
      'BACKUP_AT must be a time of day like 02:30.',
    )
  })

  it('only where there is a folder for it', () => {
    expect(() => readSettings({ BACKUP_AT: '02:30' })).toThrow('BACKUP_AT is given without BACKUP_DIR')
  })
})

describe('of the backups', () => {
  const NEWEST = Date.parse('2026-11-26T02:30:00Z')
  const daily = (count: number) => Array.from({ length: count }, (_, i) => new Date(NEWEST - i * DAY))
  const keptOf = (times: Date[]) => {
    const expired = expiredBackups(times, LONDON)
    return times.filter((time) => !expired.includes(time)).map((time) => time.toISOString().slice(0, 10))
  }

  it.each([0, 1, 6, 7])('all are kept where there are %s of different days', (count) => {
    expect(keptOf(daily(count))).toHaveLength(count)
  })

  it('of eight days the oldest expires, unless it is the last of its week or month', () => {
    expect(expiredBackups(daily(8), LONDON)).toEqual([new Date(NEWEST - 7 * DAY)])
  })

  it('of three years the last of seven days, four weeks and twelve months are kept', () => {
    expect(keptOf(daily(1000))).toEqual([
      ...['2026-11-26', '2026-11-25', '2026-11-24', '2026-11-23', '2026-11-22', '2026-11-21', '2026-11-20'],
      ...['2026-11-15', '2026-11-08'],
      ...['2026-10-31', '2026-09-30', '2026-08-31', '2026-07-31', '2026-06-30', '2026-05-31', '2026-04-30'],
      ...['2026-03-31', '2026-02-28', '2026-01-31', '2025-12-31'],
    ])
  })

  it('the last of a day is kept, in the time zone of the service', () => {
    const times = ['2026-07-01T22:59:00Z', '2026-07-01T23:01:00Z', '2026-07-02T10:00:00Z'].map(
      (at) => new Date(at),
    )
    expect(expiredBackups(times, LONDON)).toEqual([times[1]])
    expect(expiredBackups(times, 'UTC')).toEqual([times[0]])
  })

  it('old ones are kept where no new ones are made, whatever day it is', () => {
    const times = daily(3).map((time) => new Date(time.getTime() - 900 * DAY))
    expect(expiredBackups(times, LONDON)).toEqual([])
  })

  itInFull(
    'none expires before its turn: a year of deleting each day keeps what deleting at the end does',
    () => {
      let kept: Date[] = []
      for (const time of daily(500).toReversed()) {
        kept.push(time)
        const expired = expiredBackups(kept, LONDON)
        kept = kept.filter((one) => !expired.includes(one))
        expect(kept).toContain(time)
      }
      expect(kept).toEqual(
        daily(500)
          .toReversed()
          .filter(
            (time) => !expiredBackups(daily(500), LONDON).some((one) => one.getTime() === time.getTime()),
          ),
      )
    },
  )
})
