import { describe, expect, it } from 'vitest'
import { applyChanges } from '../../src/contract/applyChanges.ts'
import { formatDuration, parseDuration } from '../../src/engine/cells/durationFormat.ts'
import { ajvValidate } from '../../src/server/core/ajvValidate.ts'

/** The stored value and the error of a text typed as a duration. */
function validated(text: string) {
  const field = { name: 'time', label: 'Time taken', type: 'duration' as const, attrs: { required: true } }
  const { values, errors } = applyChanges({
    groups: [{ name: 'g', label: 'G', fields: [field] }],
    stored: {},
    sent: { time: parseDuration(text) },
    conditionContext: {},
    validateSchema: ajvValidate,
    today: '2026-01-01',
    all: true,
  })
  return { stored: values.time, error: errors.time?.[0] }
}

const LONGEST = 99 * 60 + 59

describe('a duration', () => {
  it('is parsed as it was formatted, every minute up to the longest and ten days beyond', () => {
    for (let minutes = 0; minutes <= LONGEST + 10 * 24 * 60; minutes++) {
      const text = formatDuration(minutes * 60)
      const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((n) => String(n).padStart(2, '0'))
      if (text !== `${hours}:${rest}` || parseDuration(text) !== minutes * 60)
        expect.fail(`${minutes} minutes are written '${text}' and read as ${parseDuration(text)}`)
    }
  })

  it('has the same value in every notation', () => {
    for (let minutes = 0; minutes <= LONGEST; minutes++) {
      const [h, m] = [Math.floor(minutes / 60), minutes % 60]
      const mm = String(m).padStart(2, '0')
      const ways = [
        `${h}:${mm}`,
        ` ${h} : ${mm} `,
        `${h}${mm}`.padStart(3, '0'),
        `${minutes}m`,
        `${minutes} Min`,
        `${h}h${mm}`,
        `${h}h ${m}`,
        `${h}H ${m}m`,
      ]
      const wrong = ways.filter((way) => parseDuration(way) !== minutes * 60)
      if (wrong.length > 0) expect.fail(`${minutes} minutes typed as ${wrong.join(', ')}`)
    }
    for (let quarters = 0; quarters < 400; quarters++)
      expect(parseDuration(`${quarters / 4}h`)).toBe(quarters * 900)
  })

  it.each([
    ['24:00', 86400],
    ['00:00', 0],
    ['1h 30', 5400],
    ['1.5 hours', 5400],
    ['90 minutes', 5400],
    ['90', 5400],
    ['5', 300],
    ['99:59', 359940],
  ])('%s is stored', (text, seconds) =>
    expect(validated(text)).toEqual({ stored: seconds, error: undefined }),
  )

  it.each([
    '1:5',
    '1:60',
    ':30',
    '1:',
    '-1:30',
    '1:30:00',
    '1,5h',
    '1h 60',
    '1h30h',
    'an hour',
    '1e3m',
    '٣:٣٠',
    'NaN',
    '100:00',
    '6000m',
    '100h',
    `${'9'.repeat(400)}m`,
  ])('%s is refused', (text) =>
    expect(validated(text).error).toBe('Time taken must be a time such as 1:30, at most 99:59'),
  )

  it.each(['', '   '])('an empty text (%j) is missing if required', (text) =>
    expect(validated(text).error).toMatch(/^Enter time taken/i),
  )
})
