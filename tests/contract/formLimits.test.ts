import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FORM_LIMITS, limitExceeded, nearLimit } from '../../src/contract/meta/formLimits.ts'
import { field, group, repeat } from './metaBuilders.ts'

const many = (count: number) => Array.from({ length: count }, (_, i) => field(`f${i}`))
const form = (count: number) => [group('one', many(count))]

describe('the limits of a form', () => {
  it('are announced from four fifths on', () => {
    expect([nearLimit('fields', 1599), nearLimit('fields', 1600), nearLimit('groups', 200)]).toEqual([
      '',
      '1600 of 2000 fields',
      '200 of 200 groups: remove one before you add another',
    ])
  })

  it('are not exceeded, but a form beyond them may become smaller', () => {
    expect(limitExceeded(form(1999), form(2000))).toBeUndefined()
    expect(limitExceeded(form(2000), form(2001))).toBe(
      'A form may have 2000 fields, and this one has 2000; remove some before you add more',
    )
    expect(limitExceeded(form(2600), form(2599))).toBeUndefined()
    const groups = Array.from({ length: 201 }, (_, i) => group(`g${i}`, []))
    expect(limitExceeded(groups.slice(1), groups)).toContain('A form may have 200 groups')
  })

  it('count the columns of a repeat, among the fields too', () => {
    const wide = (count: number) => [group('one', [repeat('family', many(count))])]
    expect(limitExceeded(wide(50), wide(51))).toBe(
      "'Family' may have 50 columns; remove one before you add another",
    )
    const full = [group('one', [...many(1950), repeat('family', many(49))])]
    const beyond = [group('one', [...many(1950), repeat('family', many(50))])]
    expect(limitExceeded(full, beyond)).toContain('A form may have 2000 fields')
  })

  it('are those of the meta-schemas', () => {
    const read = (name: string) => JSON.parse(fs.readFileSync(`schemas/meta/${name}.json`, 'utf8'))
    const { group: ofGroup, field: ofField, attrs } = read('groups').$defs
    const when = read('when')
    expect({
      ...FORM_LIMITS,
      fields: ofGroup.properties.fields.maxItems,
      columns: ofField.properties.fields.maxItems,
      choices: attrs.properties.options.maxItems,
      checks: attrs.properties.checks.maxItems,
      conditions: when.maxProperties,
      alternatives: when.properties.any.maxItems,
    }).toEqual(FORM_LIMITS)
  })
})
