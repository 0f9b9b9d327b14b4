import { describe, expect, it } from 'vitest'
import { choiceKey } from '../../src/contract/compareKey.ts'
import { normaliseValue } from '../../src/contract/fieldTypes.ts'
import type { Field, FieldType } from '../../src/contract/generated.ts'
import { parseCell } from '../../src/server/records/files/cells.ts'

const field = (type: FieldType): Field => ({ name: 'x', label: 'Field', type })

describe('a cell of a spreadsheet', () => {
  it.each([
    ['Y', 'yes'],
    ['yes ', 'yes'],
    ['1', 'yes'],
    ['N', 'no'],
    ['0', 'no'],
    ['Not\u00A0known', 'not_known'],
  ])('is a yes or no: %j', (text, value) => {
    expect(parseCell(text, field('yesno'), new Map())).toEqual({ value })
  })

  it.each([
    ['date', '2026-02-28T10:30:00Z', '2026-02-28'],
    ['date', '2026-02-30', undefined],
    ['date', '2026-02-30T10:30:00Z', undefined],
    ['datetime', '2026-02-28T10:30:00Z', '2026-02-28T10:30:00.000Z'],
    ['datetime', '2026-02-30 10:30', undefined],
    ['datetime', '2026-02-30T10:30:00Z', undefined],
  ] as const)('is a %s only on a day of the calendar: %j', (type, text, value) => {
    const parsed = parseCell(text, field(type), new Map())
    expect('value' in parsed ? parsed.value : undefined).toBe(value)
  })

  it.each([
    "Carer's break - weekend",
    'Carer’s break – weekend',
    'CARER‘S BREAK ‑ WEEKEND',
    '\u200BCarer´s  break\u00A0- weekend',
  ])('is the choice that differs from it in marks only: %j', (text) => {
    const choices = new Map([[choiceKey('Carer’s break – weekend'), 7]])
    expect(parseCell(text, field('select'), choices)).toEqual({ value: 7 })
    expect(parseCell(text, field('multiselect'), choices)).toEqual({ value: [7] })
  })

  it.each([
    ['text', '\u202EAd\u200Bam\u00A0 Ash '],
    ['textarea', 'one\r\ntwo\u200B'],
    ['phone', '01632–960001 '],
    ['postcode', 'cb74ae'],
    ['time', '9.30 pm'],
  ] as [FieldType, string][])('is stored as if it were typed into the form: %s', (type, text) => {
    expect(parseCell(text, field(type), new Map())).toEqual({ value: normaliseValue(field(type), text) })
  })
})
