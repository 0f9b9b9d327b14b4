import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isFieldName, newFieldName } from '../../src/contract/fieldName.ts'
import type { Field, FieldAttrs } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { MAX_LABEL_LENGTH } from '../../src/contract/meta/formLimits.ts'
import { caseMeta, choice, demoMetas, field, group, repeat, yesno } from './metaBuilders.ts'
import { check, known, messages } from './metaErrors.ts'

describe('a form that may be published', () => {
  it('passes the six case types of the demo', () => {
    const lookups = JSON.parse(fs.readFileSync('schemas/lookups.json', 'utf8'))
    for (const type of demoMetas()) {
      const usage = { case_meta: {}, issue_meta: {} }
      expect(checkMeta(type, { lookups }, { meta: type, usage })).toEqual([])
    }
  })

  it('may be empty', () => {
    expect(checkMeta(caseMeta(), known)).toEqual([])
  })

  it('reports the meta, the path and the field of an error', () => {
    const metas = { case_meta: [], issue_meta: [group('one', [field('a'), { ...field('b'), label: ' ' }])] }
    expect(checkMeta(metas, known)).toEqual([
      { meta: 'issue_meta', path: [0, 'fields', 1, 'label'], field: 'b', message: 'Give this field a label' },
    ])
  })
})

describe('names', () => {
  it('are unique in a meta across groups, and within a repeat', () => {
    const two = group('two', [field('a')])
    expect(check(group('one', [field('a')]), two)[0]).toMatchObject({
      path: [1, 'fields', 0, 'name'],
      field: 'a',
    })
    expect(messages(field('a'), repeat('b', [field('a')]))).toEqual([])
    expect(messages(repeat('b', [field('a'), field('a')]))).toHaveLength(1)
    expect(check(group('one', []), group('one', []))[0].path).toEqual([1, 'name'])
    expect(
      checkMeta({ case_meta: [group('one', [field('a')])], issue_meta: [group('one', [field('a')])] }, known),
    ).toEqual([])
  })

  it.each(['__proto__', 'toString', 'valueOf', 'hasOwnProperty', 'constructor', 'prototype'])(
    'are not %s',
    (name) => {
      expect(messages(field(name))[0]).toContain(`'${name}' cannot be the name of a field`)
      expect(check(group(name, []))[0].path).toEqual([0, 'name'])
    },
  )

  it.each(['', 'A', '1a', 'a-b', 'a b', '_a', `a${'b'.repeat(63)}`, 'any', 'record', 'user'])(
    'are not %j',
    (name) => {
      expect(isFieldName(name)).toBe(false)
    },
  )

  it('may be 63 letters, but no column is called row', () => {
    expect(messages(field(`a${'b'.repeat(62)}`), field('row'))).toEqual([])
    expect(messages(repeat('a', [field('row')]))).toHaveLength(1)
  })

  it('that lists read have a fixed type', () => {
    expect(messages(yesno('is_urgent'))).toEqual([])
    expect(check(group('one', [field('is_urgent')]))[0].path).toEqual([0, 'fields', 0, 'type'])
    expect(checkMeta({ case_meta: [], issue_meta: [group('one', [field('is_urgent')])] }, known)).toEqual([])
  })
})

describe('a new name', () => {
  it.each([
    ['Date consent given', 'date_consent_given'],
    ['  Why?  ', 'why'],
    ['Façade & Señor (Ærø)', 'facade_and_senor_aero'],
    ["Person's view", 'persons_view'],
    ['2nd opinion', 'field_2nd_opinion'],
    ['Имя', 'field'],
    ['<script>alert(1)</script>', 'script_alert_1_script'],
    ['Constructor', 'constructor_2'],
    ['Any', 'any_2'],
  ])('of %j is %s', (label, name) => {
    expect(newFieldName(label, new Set())).toBe(name)
  })

  it('is unique, and never too long', () => {
    expect(newFieldName('A', new Set(['a', 'a_2']))).toBe('a_3')
    const long = newFieldName('word '.repeat(40), new Set())
    expect(isFieldName(long)).toBe(true)
    expect(isFieldName(newFieldName('word '.repeat(40), new Set([long])))).toBe(true)
  })
})

describe('labels and limits', () => {
  it('refuses labels that are blank or too long', () => {
    expect(messages({ ...field('a'), label: 'x'.repeat(MAX_LABEL_LENGTH) })).toEqual([])
    expect(messages({ ...field('a'), label: 'x'.repeat(MAX_LABEL_LENGTH + 1) })[0]).toContain(
      '500 characters',
    )
    expect(check({ ...group('one', []), label: '\t' })[0]).toMatchObject({ path: [0, 'label'] })
  })

  it('limits the number of groups and fields', () => {
    const groups = Array.from({ length: 201 }, (_, i) => group(`g${i}`, []))
    expect(check(...groups)[0].message).toBe('A form may have 200 groups; remove 1 of them')
    const fields = Array.from({ length: 2003 }, (_, i) => field(`f${i}`))
    expect(messages(...fields)).toEqual(['A form may have 2000 fields; remove 3 of them'])
  })

  it('refuses limits that are not whole numbers or whose minimum is above the maximum', () => {
    expect(messages(field('a', 'integer', { min: 1, max: 1 }))).toEqual([])
    expect(messages(field('a', 'integer', { min: 2, max: 1 }))).toHaveLength(1)
    expect(messages(field('a', 'integer', { max: 1.5 }))).toHaveLength(1)
    expect(messages(repeat('a', [field('b')], { min: -1 }))).toHaveLength(1)
  })

  it('refuses rules that do not fit the type', () => {
    expect(messages(field('a', 'date', { rules: ['not_future'] }))).toEqual([])
    expect(messages(field('a', 'text', { rules: ['not_future'] }))).toHaveLength(1)
    expect(messages(field('a', 'text', { rules: ['made_up'] }))).toHaveLength(1)
  })

  it('refuses after:… without another date that it can reach', () => {
    const after = (name: string) => field('b', 'date', { rules: [`after:${name}`] })
    expect(messages(field('a', 'date'), after('a'))).toEqual([])
    expect(messages(after('a'))[0]).toContain('no such field')
    expect(messages(field('a'), after('a'))[0]).toContain('not a date')
    expect(messages(after('b'))[0]).toContain('itself')
    expect(messages(repeat('r', [field('a', 'date'), after('a')]))).toEqual([])
    expect(messages(field('a', 'date'), repeat('r', [after('a')]))).toHaveLength(1)
  })
})

describe('choices', () => {
  it('are either options or a known lookup', () => {
    expect(messages(choice('a', ['x']), field('b', 'multiselect', { lookup: 'gender' }))).toEqual([])
    expect(messages(field('a', 'select'))).toEqual(["Add choices to 'A', or choose a list for it"])
    expect(messages(field('a', 'select', { options: [] }))).toHaveLength(1)
    expect(messages(field('a', 'select', { lookup: 'gander' }))[0]).toContain("did you mean 'gender'?")
    expect(messages(field('a', 'select', { lookup: 'toString' }))).toHaveLength(1)
    expect(messages(choice('a', ['x'], { lookup: 'gender' }))).toHaveLength(1)
    expect(messages(field('a', 'text', { lookup: 'gender' }))).toHaveLength(1)
  })

  it('have unique values', () => {
    expect(messages(choice('a', ['x', 'x']))[0]).toContain("stored as 'x'")
    const [one, uno] = [
      { value: 1, label: 'One' },
      { value: '1', label: 'Uno' },
    ]
    expect(messages(field('a', 'select', { options: [one, uno] }))).toEqual([])
  })

  it('include their default', () => {
    const of = (preset: FieldAttrs['default']) => messages(choice('a', ['x', 'y'], { default: preset }))
    expect(of('x')).toEqual([])
    expect(of(['x', 'y'])).toEqual([])
    expect(of('z')).toHaveLength(1)
  })

  it('are narrowed by parameters of the lookup and fields of the form', () => {
    const sub = (lookup_params: FieldAttrs['lookup_params']) =>
      field('b', 'select', { lookup: 'sfg_subcategory', lookup_params })
    expect(messages(choice('a', [1]), sub({ sfg_category: '$a' }))).toEqual([])
    expect(messages(sub({ sfg_category: '$client.area' }), field('a'))).toEqual([])
    expect(messages(sub({ sfg_category: '$a' }))[0]).toContain('no such field')
    expect(messages(sub({ service: 1 }))[0]).toContain("'service'")
  })
})

describe('a field for the public referral form', () => {
  const lookups = JSON.parse(fs.readFileSync('schemas/lookups.json', 'utf8'))
  const asked = (one: Partial<Field>, attrs: FieldAttrs = {}): Field => ({
    ...field('ward'),
    label: 'Ward',
    ...one,
    attrs: { referral: true, ...attrs },
  })
  const errors = (one: Field) =>
    checkMeta(caseMeta(group('one', [field('area'), one])), { lookups }).map(({ path, message }) => [
      path.slice(3).join('.'),
      message,
    ])

  it('is refused where its choices are private, where it is a file or sensitive', () => {
    const cannot = "The public referral form cannot ask 'Ward', which "
    for (const [one, attrs, why] of [
      [{ type: 'select' }, { lookup: 'staff' }, 'has choices that are not public'],
      [{ type: 'multiselect' }, { lookup: 'contracts' }, 'has choices that are not public'],
      [{ type: 'integer' }, { ref: 'client' }, 'has choices that are not public'],
      [{ type: 'file' }, {}, 'is a file'],
      [{}, { sensitive: true }, 'is sensitive'],
      [
        { type: 'select' },
        { lookup: 'referral_team', lookup_params: { area: '$area' } },
        'has choices that depend on another answer',
      ],
      [
        { type: 'repeat', fields: [{ ...field('doc'), label: 'Doc', type: 'file' }] },
        {},
        "has the column 'Doc', which is a file",
      ],
    ] as [Partial<Field>, FieldAttrs, string][])
      expect(errors(asked(one, attrs))).toEqual([['attrs.referral', cannot + why]])
  })

  it('may be anything else, also with choices that its service narrows', () => {
    expect(errors(asked({}))).toEqual([])
    expect(
      errors(
        asked({ type: 'select' }, { lookup: 'client_setting', lookup_params: { service: '$case.service' } }),
      ),
    ).toEqual([])
  })

  it('is a whole field of the case', () => {
    const message = "The public referral form asks whole fields of the case; 'Ward' cannot be asked there"
    const metas = { case_meta: [], issue_meta: [group('one', [asked({})])] }
    expect(checkMeta(metas, { lookups }).map((p) => p.message)).toEqual([message])
    expect(errors({ ...repeat('rows', [asked({})]), label: 'Rows' }).map(([, text]) => text)).toContain(
      message,
    )
  })
})

describe('repeats', () => {
  it('have columns', () => {
    expect(messages(repeat('a', []))).toEqual(["Add at least one column to 'A'"])
    expect(messages(repeat('a', [repeat('b', [], { max: 5 })]))).toEqual(["Add at least one column to 'B'"])
    expect(messages({ ...field('a'), fields: [field('b')] })).toHaveLength(1)
  })

  it('hold one more in their rows, which says how many rows it may have', () => {
    const rows = (outer: number | undefined, inner: number | undefined) =>
      messages(
        repeat('a', [repeat('b', [field('c')], inner ? { max: inner } : {})], outer ? { max: outer } : {}),
      )
    expect(rows(undefined, 10)).toEqual([])
    expect(rows(20, 50)).toEqual([])
    const lower = "set that as its maximum, or lower the maximum of 'A'"
    expect(rows(undefined, undefined)).toEqual([`With 100 rows of 'A', 'B' may have 10 in each; ${lower}`])
    expect(rows(20, 51)).toEqual([`With 20 rows of 'A', 'B' may have 50 in each; ${lower}`])
    expect(rows(2000, 1)).toEqual([
      "In so many as 2000 rows of 'A' none of 'B' can stand; lower the maximum of 'A'",
    ])
  })

  it('hold no third one in the rows of the second', () => {
    expect(messages(repeat('a', [repeat('b', [repeat('c', [field('d')])], { max: 5 })]))).toEqual([
      "'B' stands in the rows of a repeat, so its own rows can hold none; move 'C'",
    ])
  })
})
