import { describe, expect, it } from 'vitest'
import { applyChanges } from '../../src/contract/applyChanges.ts'
import type { ChangeOptions } from '../../src/contract/evaluateChange.ts'
import type { Check, Field, Group } from '../../src/contract/generated.ts'
import type { Values, When } from '../../src/contract/when.ts'
import { dependenciesOf } from '../../src/engine/form/store/sections.ts'
import { validateSchema as browserValidate } from '../../src/engine/form/store/validateSchema.ts'
import { ajvValidate as serverValidate } from '../../src/server/core/ajvValidate.ts'
import { type Random, seeded } from '../../src/server/ops/demo/random.ts'
import { FULL } from '../full.ts'
import { choice, field, group, repeat, yesno } from './metaBuilders.ts'

const today = '2026-03-15'
const EARLY: Check = {
  when: { end: { max: { path: 'start' }, not: { path: 'start' } } },
  message: 'The end cannot be before the start',
}
const form = [
  group('stay', [
    field('start', 'date'),
    field('end', 'date', { checks: [EARLY], when: { staying: { not: 'no' } } }),
    yesno('staying'),
    field('note', 'textarea', { max_words: 3 }),
    repeat('visits', [
      field('start', 'date'),
      field('end', 'date', { checks: [EARLY] }),
      field('seats', 'integer', {
        checks: [{ when: { seats: { min: { path: 'places' } } }, message: 'All places are taken' }],
      }),
    ]),
    field('places', 'integer'),
  ]),
]

function changed(sent: Values, stored: Values = {}, options: Partial<ChangeOptions> = {}) {
  const given = { groups: form, stored, sent, conditionContext: {}, today, ...options }
  const browser = applyChanges({ ...given, validateSchema: browserValidate })
  expect(applyChanges({ ...given, validateSchema: serverValidate })).toEqual(browser)
  return browser
}

describe('a check', () => {
  it('says its message while its condition holds', () => {
    expect(changed({ start: '2026-02-02', end: '2026-02-01' }).errors).toEqual({ end: [EARLY.message] })
    expect(changed({ start: '2026-02-02', end: '2026-02-02' }).errors).toEqual({})
  })

  it('is not looked at without an answer to its field or to what it is compared with', () => {
    expect(changed({ start: '2026-02-02' }).errors).toEqual({})
    expect(changed({ end: '2026-02-02' }).errors).toEqual({})
  })

  it('is not looked at while its field is hidden', () => {
    const sent = { staying: 'no', start: '2026-02-02', end: '2026-02-01' }
    expect(changed(sent)).toMatchObject({ errors: {}, invalid: [] })
  })

  it('counts a hidden field as unset', () => {
    const [stay] = form
    const groups = [
      {
        ...stay,
        fields: stay.fields.map((f) =>
          f.name === 'start' ? { ...f, attrs: { when: { staying: 'yes' } } } : f,
        ),
      },
    ]
    const sent = { start: '2026-02-02', end: '2026-02-01' }
    expect(changed(sent, {}, { groups }).errors).toEqual({})
    expect(changed({ staying: 'yes', ...sent }, {}, { groups }).errors).toEqual({ end: [EARLY.message] })
  })

  it('is looked at when what it looks at is sent, and otherwise not again', () => {
    const stored = { start: '2026-02-02', end: '2026-02-05' }
    expect(changed({ start: '2026-02-06' }, stored).errors).toEqual({ end: [EARLY.message] })
    const wrong = { ...stored, end: '2026-02-01' }
    expect(changed({ note: 'a' }, wrong)).toMatchObject({ errors: {}, invalid: ['end'] })
  })

  it('looks in its row first, then around it, and is looked at again when that changes', () => {
    const visits = [
      { row: 'a', start: '2026-02-02', end: '2026-02-01', seats: 4 },
      { row: 'b', end: '2026-01-01', seats: 5 },
    ]
    expect(changed({ start: '2026-01-05', places: 5, visits }).errors).toEqual({
      'visits.0.end': [EARLY.message],
      'visits.1.end': [EARLY.message],
      'visits.1.seats': ['All places are taken'],
    })
    const stored = { places: 5, visits: [{ row: 'a', seats: 4 }] }
    expect(changed({ places: 4 }, stored).errors).toEqual({ 'visits.0.seats': ['All places are taken'] })
  })

  it('comes after what is wrong by itself', () => {
    expect(changed({ start: '2026-02-02', end: '2026' }).errors).toEqual({
      end: ['End must be a real date'],
    })
  })

  it('can look at the record and who is signed in', () => {
    const when: When = { age: { min: { path: 'record.limit' } }, 'user.id': 7 }
    const groups = [group('g', [field('age', 'integer', { checks: [{ when, message: 'Too old' }] })])]
    const seen = (limit: number, id: number) =>
      changed({ age: 40 }, {}, { groups, conditionContext: { record: { limit }, user: { id } } }).errors
    expect([seen(40, 7), seen(41, 7), seen(40, 8)]).toEqual([{ age: ['Too old'] }, {}, {}])
  })

  it('makes what it looks at something that other fields depend on', () => {
    const names = dependenciesOf([{ key: 'a', at: '', groups: form }])
    expect([...names].sort()).toEqual(['places', 'start', 'staying'])
  })
})

describe('a limit of words', () => {
  it('counts them', () => {
    expect(changed({ note: 'one two  three' }).errors).toEqual({})
    expect(changed({ note: ' one two\nthree four ' }).errors).toEqual({
      note: ['Note has 4 words of at most 3'],
    })
  })
})

const COUNT = FULL ? 10_000 : 300
const DATES = ['2026-01-01', '2026-02-01', '2026-03-01']
const VALUES: Partial<Record<Field['type'], unknown[]>> = {
  date: [...DATES, '2026-02-30'],
  integer: [1, 2, 3, 1.5, '2'],
  yesno: ['yes', 'no', 'maybe'],
  select: ['a', 'b', 'c'],
  multiselect: [['a'], ['a', 'b'], 'a', []],
  text: ['a', 'b', '', null],
}
const TYPES = Object.keys(VALUES) as Field['type'][]

/** A form whose fields have checks that look at any other of its fields, at values and at paths. */
function formWithChecks(random: Random): Group[] {
  const names = Array.from({ length: random.between(3, 8) }, (_, i) => `f${i}`)
  const columns = ['c0', 'c1']
  const made = (name: string, others: string[]): Field => {
    const type = random.pick(TYPES)
    const checks = Array.from({ length: random.between(0, 2) }, (_, i) => ({
      when: random.chance(0.3)
        ? { any: [condition(others, random), condition(others, random)] }
        : condition([name, ...others], random),
      message: `check ${i} of ${name}`,
    }))
    const attrs = { checks, ...(random.chance(0.2) && { when: condition(others, random) }) }
    if (type === 'select' || type === 'multiselect') return choice(name, ['a', 'b'], attrs, type)
    return field(name, type, attrs)
  }
  const fields = names.map((name) => made(name, names))
  const rows = repeat(
    'rows',
    columns.map((name) => made(name, [...columns, ...names])),
  )
  return [group('one', fields), group('two', [rows])]
}

function condition(names: string[], random: Random): When {
  const operand = () =>
    random.chance(0.6)
      ? { path: random.pick(names) }
      : random.pick<string | number>(['yes', 'a', 2, ...DATES])
  const bound = operand()
  return {
    [random.pick(names)]: random.pick([
      operand(),
      [operand(), operand()],
      { not: operand() },
      { min: bound },
      { max: bound, not: bound },
      { set: true },
    ]),
  }
}

function answersTo(fields: Field[], random: Random): Values {
  const given = fields.filter(() => random.chance(0.7))
  return Object.fromEntries(
    given.map((one) => [
      one.name,
      one.type === 'repeat'
        ? [1, 2].map((row) => ({ row: `r${row}`, ...answersTo(one.fields ?? [], random) }))
        : random.pick(VALUES[one.type]!),
    ]),
  )
}

describe(`the browser and the server on ${COUNT} documents with checks`, () => {
  it('agree, also on changes of a part', { timeout: 600_000 }, () => {
    const random = seeded(14)
    let refused = 0
    for (let i = 0; i < COUNT; i++) {
      const groups = formWithChecks(random)
      const fields = groups.flatMap((g) => g.fields)
      const [stored, sent] = [answersTo(fields, random), answersTo(fields, random)]
      const whole = changed({ ...stored, ...sent }, {}, { groups, all: true })
      const part = changed(sent, stored, { groups })
      refused += Object.values(whole.errors).filter(([words]) => words.startsWith('check ')).length
      // What a change of a part reports is part of what is wrong with the whole.
      for (const path of Object.keys(part.errors)) expect(part.invalid).toContain(path.split('.')[0])
    }
    expect(refused).toBeGreaterThan(COUNT / 4)
  })
})
