import { describe, expect, it } from 'vitest'
import { protectSmall, protectTotal } from '../../src/server/records/figures/protect.ts'
import { contract } from '../loadedContract.ts'

describe('a protected number', () => {
  const { issueFact } = contract.entities
  const numbers = { issues: 100, people: 100, closed: 100, outcomes: 100, time: 100 * 3600, days: 7 }
  const protectedNumbers = (change: object) => protectSmall(issueFact, { ...numbers, ...change })

  it.each([
    [0, '5 or fewer'],
    [5, '5 or fewer'],
    [6, 5],
    [7, 5],
    [8, 10],
  ])('of %i issues closed is %s', (closed, shown) => {
    expect(protectedNumbers({ closed })).toEqual({ ...numbers, closed: shown })
  })

  it.each([
    [2.4, 0],
    [2.5, 5],
    [7.4, 5],
    [7.5, 10],
  ])('of %d hours is %i hours', (hours, shown) => {
    expect(protectedNumbers({ time: hours * 3600 })).toEqual({ ...numbers, time: shown * 3600 })
  })

  it.each(['issues', 'people'])('is null for an average or a sum of five %s, and not for six', (measure) => {
    const hidden = { outcomes: null, time: null, days: null }
    expect(protectedNumbers({ [measure]: 5 })).toEqual({ ...numbers, ...hidden, [measure]: '5 or fewer' })
    expect(protectedNumbers({ [measure]: 6 })).toEqual({ ...numbers, [measure]: 5 })
  })
})

describe('a protected total', () => {
  const { deadlineFact } = contract.entities
  const numbers = (change: object) => ({ deadlines: 100, people: 100, percent: 80, ...change })

  it('has no share if a group has none, of which it would tell the share', () => {
    const totalOf = (...groups: object[]) =>
      protectTotal(
        deadlineFact,
        numbers({}),
        groups.map((one) => ({ numbers: numbers(one) })),
      ).percent
    expect(totalOf({}, { percent: 90 })).toBe(80)
    expect(totalOf({}, { percent: null })).toBeNull()
    expect(totalOf({}, { deadlines: 5 })).toBeNull()
  })
})
