import { describe, expect, it } from 'vitest'
import { itemAt } from '../../src/constructor/state/address.ts'
import { duplicate } from '../../src/constructor/state/duplicate.ts'
import type { Field, Group } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { MAX_LABEL_LENGTH } from '../../src/contract/meta/formLimits.ts'

const field = (
  name: string,
  label: string,
  type: Field['type'] = 'text',
  attrs: Field['attrs'] = {},
): Field => ({ name, label, type, attrs })

const stay: Group = {
  name: 'stay',
  label: 'Stay',
  attrs: { when: { consent: 'yes', nights: { min: 1 } } },
  fields: [
    field('from', 'From', 'date'),
    field('to', 'To', 'date', {
      rules: ['not_future', 'after:from'],
      when: { any: [{ from: { set: true } }, { consent: 'yes', 'record.from': 1 }] },
      required_when: { from: { not: { path: 'consent' } } },
      checks: [{ when: { to: { max: { path: 'from' } } }, message: 'Too early' }],
    }),
    field('nights', 'Nights after {from}', 'integer', {
      calc: 'days_between',
      of: ['from', 'to'],
      help: 'From {from}, with {consent}',
    }),
    {
      ...field('visits', 'Visits', 'repeat'),
      fields: [
        field('from', 'From', 'date', { when: { to: { set: true } } }),
        field('cost', 'Cost', 'integer', { when: { from: { set: true }, nights: { min: 2 } } }),
      ],
    },
    field('total', 'Total', 'integer', { calc: 'sum', of: ['visits.cost', 'fee', 3] }),
    field('ward', 'Ward', 'select', {
      lookup: 'wards',
      lookup_params: { at: '$from', by: '$client.id', n: 2 },
    }),
  ],
}
const groups: Group[] = [
  {
    name: 'first',
    label: 'First',
    fields: [field('consent', 'Consent', 'yesno'), field('fee', 'Fee', 'integer')],
  },
  stay,
]
const names = (all: Group[]) => all.map((g) => [g.name, g.fields.map((f) => f.name)])
const attrsAt = (all: Group[], ...address: string[]) => itemAt(all, address)?.attrs as Field['attrs']

describe('a duplicated group', () => {
  const { groups: after, addresses } = duplicate(groups, [['stay']])

  it('stands below its original with names of its own; the original stays as it was', () => {
    expect(addresses).toEqual([['stay_2']])
    expect(names(after)).toEqual([
      ['first', ['consent', 'fee']],
      ['stay', ['from', 'to', 'nights', 'visits', 'total', 'ward']],
      ['stay_2', ['from_2', 'to_2', 'nights_after_from', 'visits_2', 'total_2', 'ward_2']],
    ])
    expect(after[1]).toBe(stay)
    expect(after[2].label).toBe('Stay (copy)')
    expect(after[2].fields[0].label).toBe('From')
  })

  it('turns to its own fields what looked at those of the original, and leaves the rest', () => {
    expect(attrsAt(after, 'stay_2')?.when).toEqual({ consent: 'yes', nights_after_from: { min: 1 } })
    expect(attrsAt(after, 'stay_2', 'to_2')).toEqual({
      rules: ['not_future', 'after:from_2'],
      when: { any: [{ from_2: { set: true } }, { consent: 'yes', 'record.from': 1 }] },
      required_when: { from_2: { not: { path: 'consent' } } },
      checks: [{ when: { to_2: { max: { path: 'from_2' } } }, message: 'Too early' }],
    })
    expect(itemAt(after, ['stay_2', 'nights_after_from'])).toMatchObject({
      label: 'Nights after {from_2}',
      attrs: { of: ['from_2', 'to_2'], help: 'From {from_2}, with {consent}' },
    })
    expect(attrsAt(after, 'stay_2', 'total_2')?.of).toEqual(['visits_2.cost', 'fee', 3])
    expect(attrsAt(after, 'stay_2', 'ward_2')?.lookup_params).toEqual({
      at: '$from_2',
      by: '$client.id',
      n: 2,
    })
  })

  it('leaves what a column looks at in its own row', () => {
    expect(attrsAt(after, 'stay_2', 'visits_2', 'from')?.when).toEqual({ to_2: { set: true } })
    expect(attrsAt(after, 'stay_2', 'visits_2', 'cost')?.when).toEqual({
      from: { set: true },
      nights_after_from: { min: 2 },
    })
  })

  it('is as right as its original', () => {
    const known = { lookups: { wards: { by: ['at', 'by', 'n'] } } }
    const problems = (all: Group[]) => checkMeta({ case_meta: all, issue_meta: [] }, known)
    const ofOriginal = problems(groups).map((one) => one.message)
    expect(problems(after).map((one) => one.message)).toHaveLength(2 * ofOriginal.length)
  })
})

describe('a duplicated field', () => {
  it('looks at itself where its original did, and at the same others', () => {
    const { groups: after, addresses } = duplicate(groups, [['stay', 'to']], ['to_2'])
    expect(addresses).toEqual([['stay', 'to_3']])
    expect(names(after)[1][1]).toEqual(['from', 'to', 'to_3', 'nights', 'visits', 'total', 'ward'])
    expect(itemAt(after, ['stay', 'to_3'])?.label).toBe('To (copy)')
    expect(attrsAt(after, 'stay', 'to_3')?.rules).toEqual(['not_future', 'after:from'])
    expect(attrsAt(after, 'stay', 'to_3')?.checks?.[0].when).toEqual({ to_3: { max: { path: 'from' } } })
  })

  it('keeps a label that is too long for a mark, and a name without a label', () => {
    const long = 'x'.repeat(MAX_LABEL_LENGTH - 2)
    const one = (label: string) => duplicate([{ ...stay, fields: [field('a', label)] }], [['stay', 'a']])
    expect(one(long).groups[0].fields[1].label).toBe(long)
    expect(one('').groups[0].fields[1]).toMatchObject({ name: 'a_2', label: '' })
  })

  it('of a repeat is a column of the same', () => {
    const { groups: after, addresses } = duplicate(groups, [['stay', 'visits', 'cost']])
    expect(addresses).toEqual([['stay', 'visits', 'cost_2']])
    expect(itemAt(after, ['stay', 'visits'])?.fields?.map((c) => c.name)).toEqual(['from', 'cost', 'cost_2'])
    expect(attrsAt(after, 'stay', 'visits', 'cost_2')?.when).toEqual({
      from: { set: true },
      nights: { min: 2 },
    })
  })
})

it('copies a repeat with the rows in its rows, whose columns keep their names and name each other', () => {
  const visits: Field = {
    ...field('visits', 'Visits', 'repeat', { max: 5 }),
    fields: [
      field('day', 'Day', 'date'),
      field('who', 'Who', 'text', { when: { day: { set: true }, ward: { set: true }, closed: 'no' } }),
    ],
  }
  const stays: Field = {
    ...field('stays', 'Stays', 'repeat'),
    fields: [field('ward', 'Ward'), visits],
  }
  const all = [{ name: 'g', label: 'G', fields: [field('closed', 'Closed', 'yesno'), stays] }]
  const { groups: whole } = duplicate(all, [['g']])
  expect(attrsAt(whole, 'g_2', 'stays_2', 'visits', 'who')?.when).toEqual({
    day: { set: true },
    ward: { set: true },
    closed_2: 'no',
  })
  const { groups: inRow, addresses } = duplicate(all, [['g', 'stays', 'visits']])
  expect(addresses).toEqual([['g', 'stays', 'visits_2']])
  expect(itemAt(inRow, addresses[0])?.fields).toEqual(visits.fields)
})

describe('what a duplicated field begins as', () => {
  const begins = (name: string, preset: object): Field => ({
    name,
    label: name,
    type: 'text',
    attrs: { default: preset as never },
  })
  const all = [
    {
      name: 'g',
      label: 'G',
      fields: [
        { name: 'a', label: 'A', type: 'text' as const },
        begins('b', { from: '$a' }),
        begins('c', { calc: 'join_text', of: ['a', { text: ', ' }, 'b'] }),
        begins('d', { from: '$client.postcode' }),
      ],
    },
  ]

  it('is that of the fields duplicated with it', () => {
    const { groups: after } = duplicate(all, [['g']])
    expect(after[1].fields.map(({ attrs }) => attrs?.default)).toEqual([
      undefined,
      { from: '$a_2' },
      { calc: 'join_text', of: ['a_2', { text: ', ' }, 'b_2'] },
      { from: '$client.postcode' },
    ])
  })
})

describe('several duplicated at once', () => {
  it('stand below the last of them, and look at each other', () => {
    const { groups: after } = duplicate(groups, [
      ['stay', 'from'],
      ['stay', 'to'],
      ['first', 'fee'],
    ])
    expect(names(after)).toEqual([
      ['first', ['consent', 'fee', 'fee_2']],
      ['stay', ['from', 'to', 'from_2', 'to_2', 'nights', 'visits', 'total', 'ward']],
    ])
    expect(attrsAt(after, 'stay', 'to_2')?.rules).toEqual(['not_future', 'after:from_2'])
  })

  it('are copied once with the group that they stand in', () => {
    const { addresses } = duplicate(groups, [['stay'], ['stay', 'to'], ['nowhere']])
    expect(addresses).toEqual([['stay_2']])
  })
})
