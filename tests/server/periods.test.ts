import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Dimension } from '../../src/contract/generated.ts'
import type { Call } from '../../src/server/core/call.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import type { Period } from '../../src/server/core/today.ts'
import { fillGaps } from '../../src/server/records/figures/fillGaps.ts'
import type { Group } from '../../src/server/records/figures/labels.ts'
import { monthsOf } from '../../src/server/records/figures/protect.ts'
import { periodOf } from '../../src/server/records/figures/report.ts'
import { contract } from '../loadedContract.ts'

const callWith = (query: Call['query']) => ({ query, settings: readSettings({}) }) as unknown as Call
const setToday = (day: string) => vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${day}T12:00:00Z`) })
afterEach(() => vi.useRealTimers())

describe('a period of figures', () => {
  it.each([
    ['last12', '2026-01-01', '2025-01-01', '2025-12-31'],
    ['last12', '2026-12-31', '2025-12-01', '2026-11-30'],
    ['last12', '2024-03-15', '2023-03-01', '2024-02-29'],
    ['quarter', '2026-01-01', '2025-10-01', '2025-12-31'],
    ['quarter', '2026-03-31', '2025-10-01', '2025-12-31'],
    ['quarter', '2026-04-01', '2026-01-01', '2026-03-31'],
    ['quarter', '2026-12-31', '2026-07-01', '2026-09-30'],
    ['year', '2026-01-01', '2025-01-01', '2025-12-31'],
    ['year', '2026-12-31', '2025-01-01', '2025-12-31'],
    ['financialYear', '2026-01-01', '2024-04-01', '2025-03-31'],
    ['financialYear', '2026-03-31', '2024-04-01', '2025-03-31'],
    ['financialYear', '2026-04-01', '2025-04-01', '2026-03-31'],
    ['financialYear', '2026-12-31', '2025-04-01', '2026-03-31'],
  ])('%s on %s is from %s to %s', (period, day, start, end) => {
    setToday(day)
    expect(monthsOf(callWith({ period }))).toEqual({ start, end })
  })
})

describe('a period of days', () => {
  it('is the seven days before its end and that day', () => {
    setToday('2026-03-03')
    expect(periodOf(callWith({}))).toEqual({ start: '2026-02-24', end: '2026-03-03' })
    expect(periodOf(callWith({ end: '2026-01-01' }))).toEqual({ start: '2025-12-25', end: '2026-01-01' })
  })

  it.each([
    ['2026-03-03', '2026-03-03'],
    ['2023-03-03', '2026-03-03'],
  ])('may be from %s to %s', (start, end) => {
    expect(periodOf(callWith({ start, end }))).toEqual({ start, end })
  })

  it.each([
    ['2026-03-04', '2026-03-03', 'must not be before the start'],
    ['2023-03-02', '2026-03-03', 'must be at most three years after the start'],
  ])('from %s to %s is refused', (start, end, message) => {
    expect(() => periodOf(callWith({ start, end }))).toThrow(
      expect.objectContaining({ body: expect.objectContaining({ end: [message] }) }),
    )
  })
})

describe('the groups of a period', () => {
  const facts = contract.entities.issueFact.facts!
  const labels = (by: string, period: Period, found: string[] = []) => {
    const groups = found.map((value): Group => ({ values: [value], numbers: { issues: 1 } }))
    const filled = fillGaps(callWith({}), facts, { by: [by], measures: ['issues'], period }, groups)
    return filled.map(({ values, numbers }) => `${values[0]}: ${numbers.issues}`)
  }

  it.each([
    ['month', '2025-11-30', '2026-02-01', ['2025-11: 0', '2025-12: 0', '2026-01: 0', '2026-02: 0']],
    ['month', '2026-12-01', '2026-12-31', ['2026-12: 0']],
    ['quarter', '2025-12-31', '2026-04-01', ['2025 Q4: 0', '2026 Q1: 0', '2026 Q2: 0']],
    ['quarter', '2026-03-31', '2026-03-31', ['2026 Q1: 0']],
    ['quarter', '2026-06-30', '2026-07-01', ['2026 Q2: 0', '2026 Q3: 0']],
    ['year', '2024-12-31', '2026-01-01', ['2024: 0', '2025: 0', '2026: 0']],
  ] satisfies [NonNullable<Dimension['each']>, string, string, string[]][])(
    'by %s from %s to %s include those without rows',
    (by, start, end, expected) => {
      expect(labels(by, { start, end })).toEqual(expected)
    },
  )

  it('keep those with rows', () => {
    const period = { start: '2026-01-01', end: '2026-02-28' }
    expect(labels('month', period, ['2026-02'])).toEqual(['2026-02: 1', '2026-01: 0'])
  })
})
