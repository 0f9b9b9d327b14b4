import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Argument } from '../../src/contract/calculations.ts'
import { isFieldName, newFieldName } from '../../src/contract/fieldName.ts'
import type { Field, FieldAttrs, Group } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import type { MetaName, Metas, Usage } from '../../src/contract/meta/metaTypes.ts'
import type { When } from '../../src/contract/when.ts'
import { caseMeta, choice, demoMetas, field, group, repeat, visibleWhen, yesno } from './metaBuilders.ts'

const known = { lookups: { gender: {}, sfg_subcategory: { by: ['sfg_category'] } } }

function check(...groups: Group[]) {
  return checkMeta(caseMeta(...groups), known)
}
const messages = (...fields: Field[]) => check(group('one', fields)).map((p) => p.message)

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
    expect(messages({ ...field('a'), label: 'x'.repeat(200) })).toEqual([])
    expect(messages({ ...field('a'), label: 'x'.repeat(201) })[0]).toContain('200 characters')
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
    expect(messages(field('a'), after('a'))[0]).toContain('no date')
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
    const options = [
      { value: 'x', label: 'At home' },
      { value: 'y', label: ' at  Home' },
    ]
    expect(check(group('one', [field('a', 'select', { options })]))).toEqual([
      {
        meta: 'case_meta',
        path: [0, 'fields', 0, 'attrs', 'options', 1, 'label'],
        field: 'a',
        message: "'A' has the choice ' at  Home' twice; rename or remove one",
      },
    ])
    // What is retired is offered no more.
    const [first, second] = options
    expect(messages(field('a', 'select', { options: [{ ...first, active: false }, second] }))).toEqual([])
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
    const lower = "say so as its most, or lower the most of 'A'"
    expect(rows(undefined, undefined)).toEqual([`With 100 rows of 'A', 'B' may have 10 in each; ${lower}`])
    expect(rows(20, 51)).toEqual([`With 20 rows of 'A', 'B' may have 50 in each; ${lower}`])
    expect(rows(2000, 1)).toEqual([
      "In so many as 2000 rows of 'A' none of 'B' can stand; lower the most of 'A'",
    ])
  })

  it('hold no third one in the rows of the second', () => {
    expect(messages(repeat('a', [repeat('b', [repeat('c', [field('d')])], { max: 5 })]))).toEqual([
      "'B' stands in the rows of a repeat, so its own rows can hold none; move 'C'",
    ])
  })
})

describe('conditions', () => {
  const ab = [choice('a', ['x', 'y']), yesno('u'), field('n', 'integer'), field('c', 'contact')]
  const against = (when: When) => messages(...ab, visibleWhen('z', when))

  it.each<When>([
    { a: 'x' },
    { a: ['x', 'y'] },
    { a: { not: 'x' } },
    { u: 'not_known' },
    { n: { min: 3, max: 5 } },
    { n: { min: 0 } },
    { c: { set: true } },
    { 'c.email': 'x' },
    { a: null },
    { 'record.is_opened': true, 'user.id': 4 },
    { any: [{ a: 'x' }, { u: 'yes', n: 1 }] },
  ])('are accepted: %j', (when) => {
    expect(against(when)).toEqual([])
  })

  it.each<[When, string]>([
    [{ b: 'x' }, 'no such field'],
    [{ '': '' }, 'Choose the field'],
    [{ a: '' }, "Choose a value of 'A'"],
    [{ a: [] }, "Choose a value of 'A'"],
    [{ a: { not: [] } }, "Choose a value of 'A'"],
    [{ n: { min: '' } }, "Choose a value of 'N'"],
    [{ a: 'w' }, "no choice 'w'"],
    [{ a: ['x', 'w'] }, "no choice 'w'"],
    [{ u: 'maybe' }, "no choice 'maybe'"],
    [{ u: { not: true } }, "no choice 'true'"],
    [{ n: 'x' }, "can never be the value of 'N'"],
    [{ c: 'x' }, 'only tell whether it has a value'],
    [{ any: [{ a: 'x' }, { b: 'x' }] }, 'no such field'],
    [{ toString: 'x' } as never, 'no such field'],
  ])('are refused: %j', (when, words) => {
    expect(against(when)).toEqual([expect.stringContaining(words)])
  })

  it('are checked on groups, in required_when and in repeats', () => {
    expect(check(group('one', [], { when: { b: 1 } }))[0].path).toEqual([0, 'attrs', 'when', 'b'])
    expect(check(group('one', [field('a', 'text', { required_when: { b: 1 } })]))[0].path).toEqual([
      0,
      'fields',
      0,
      'attrs',
      'required_when',
      'b',
    ])
    const columns = repeat('r', [choice('a', ['p']), visibleWhen('z', { a: 'p', u: 'yes' })])
    expect(messages(...ab, columns)).toEqual([])
    expect(check(group('one', [...ab, repeat('r', [visibleWhen('z', { q: 1 })])]))[0]).toMatchObject({
      path: [0, 'fields', 4, 'fields', 0, 'attrs', 'when', 'q'],
      field: 'r',
    })
    expect(messages(repeat('r', [choice('a', ['p'])]), visibleWhen('z', { a: 'p' }))).toHaveLength(1)
  })
})

describe('circles of conditions', () => {
  const on = (name: string, other: string) => visibleWhen(name, { [other]: { set: true } })

  it('are found whatever their length, on each of their fields', () => {
    expect(messages(on('a', 'a'))).toEqual(["'A' is shown depending on itself; change its condition"])
    const message = "'A' and 'B' depend on each other's answers: remove one of the conditions"
    expect(check(group('one', [on('a', 'b'), on('b', 'a')]))).toEqual([
      { meta: 'case_meta', path: [0, 'fields', 0, 'attrs', 'when'], field: 'a', message },
      { meta: 'case_meta', path: [0, 'fields', 1, 'attrs', 'when'], field: 'b', message },
    ])
    const ofThree = messages(on('a', 'b'), on('b', 'c'), on('c', 'a'), on('d', 'a'))
    expect(ofThree).toHaveLength(3)
    expect(ofThree[0]).toBe(
      "These depend on each other's answers in a circle, 'A' on 'B', 'B' on 'C' and 'C' on 'A': remove one of the conditions",
    )
    expect(messages(on('a', 'b'), on('b', 'a'), on('c', 'd'), on('d', 'c'))).toHaveLength(4)
  })

  it('may run through `any`, through a group and within a row', () => {
    expect(
      messages(visibleWhen('a', { any: [{ b: 'x' }, { c: 'x' }] }), field('b'), on('c', 'a')),
    ).toHaveLength(2)
    expect(check(group('one', [field('a')], { when: { a: 'x' } }))[0].path).toEqual([0, 'attrs', 'when'])
    expect(messages(repeat('r', [on('a', 'b'), on('b', 'a')]))).toHaveLength(2)
  })

  it('are not reported for required_when, or for two fields that depend on a third', () => {
    expect(messages(field('a', 'text', { required_when: { b: 'x' } }), on('b', 'a'))).toEqual([])
    expect(messages(field('a'), on('b', 'a'), on('c', 'a'), on('d', 'b'))).toEqual([])
  })
})

describe('a change of a form with answers', () => {
  const before = [
    group('one', [{ ...yesno('is_urgent'), label: 'Urgent' }, choice('kind', ['x', 'y']), field('free')]),
  ]
  const usage: Usage = { case_meta: { is_urgent: 12, kind: 1 }, issue_meta: {} }

  function changed(after: Group[], was: Group[] = before, used: Usage = usage, meta: MetaName = 'case_meta') {
    const metas = (groups: Group[]): Metas => ({ case_meta: [], issue_meta: [], [meta]: groups })
    return checkMeta(metas(after), known, { meta: metas(was), usage: used })
  }
  const [urgent, kind, free] = before[0].fields

  it('may remove, rename or retype fields without answers', () => {
    expect(changed([group('one', [urgent, kind])])).toEqual([])
    expect(changed([group('one', [urgent, kind, field('other')])])).toEqual([])
    expect(changed([group('one', [urgent, kind, { ...free, type: 'date' }])])).toEqual([])
  })

  it('may switch off, move, relabel and add', () => {
    const off = { ...urgent, label: 'Hurry', attrs: { is_on: false } }
    expect(changed([group('two', [free, kind]), group('one', [field('new'), off])])).toEqual([])
  })

  it('may not remove answered fields', () => {
    expect(changed([group('one', [kind, free])])).toEqual([
      {
        meta: 'case_meta',
        path: [0],
        field: 'is_urgent',
        message: "'Urgent' is answered in 12 cases; switch it off instead of removing it",
      },
    ])
    expect(changed([group('one', [urgent, free])])[0].message).toContain(
      "'Kind' is answered in 1 case; switch it off",
    )
    expect(changed([])).toHaveLength(2)
  })

  it('counts issues in the issue form', () => {
    const used = { case_meta: {}, issue_meta: { free: 1200 } }
    const [problem] = changed([group('one', [urgent, kind])], before, used, 'issue_meta')
    expect(problem.message).toBe("'Free' is answered in 1,200 issues; switch it off instead of removing it")
  })

  it('may not rename or retype answered fields', () => {
    expect(changed([group('one', [urgent, { ...kind, name: 'sort' }, free])])[0]).toMatchObject({
      path: [0, 'fields', 1, 'name'],
      message: "'Kind' is answered in 1 case, so its name must stay 'kind'; change its label instead",
    })
    expect(changed([group('one', [urgent, { ...kind, type: 'multiselect' }, free])])[0]).toMatchObject({
      path: [0, 'fields', 1, 'type'],
    })
  })

  it('must keep every choice of an answered field, retired or not, and its lookup', () => {
    const retired = {
      ...kind,
      attrs: {
        options: [
          { value: 'x', label: 'X', active: false },
          { value: 'y', label: 'Y' },
        ],
      },
    }
    expect(changed([group('one', [urgent, retired, free])])).toEqual([])
    expect(changed([group('one', [urgent, choice('kind', ['x']), free])])[0].message).toContain(
      "'Y' of 'Kind' is answered in 1 case, so it must stay; retire it",
    )
    expect(
      changed([group('one', [urgent, field('kind', 'select', { lookup: 'gender' }), free])])[0].message,
    ).toContain('its list cannot change')
  })

  it('must keep the columns of an answered repeat', () => {
    const was = [group('one', [repeat('r', [field('a'), field('b')])])]
    const used = { case_meta: { r: 3 }, issue_meta: {} }
    expect(changed([group('one', [repeat('r', [field('b'), field('c'), field('a')])])], was, used)).toEqual(
      [],
    )
    expect(changed([group('one', [repeat('r', [field('b')])])], was, used)[0].message).toContain(
      "'A' is answered in 3 cases",
    )
    expect(
      changed([group('one', [repeat('r', [field('a'), field('b', 'date')])])], was, used)[0].path,
    ).toEqual([0, 'fields', 0, 'fields', 1, 'type'])
  })

  it('must keep fields that lists read, even without answers', () => {
    const unused: Usage = { case_meta: {}, issue_meta: {} }
    expect(changed([group('one', [kind, free])], before, unused)[0].message).toContain(
      "Lists and reports read 'Urgent'",
    )
    expect(changed([group('one', [{ ...urgent, attrs: { is_on: false } }])], before, unused)).toEqual([])
    expect(
      changed([group('one', [{ ...urgent, name: 'hurry' }, kind, free])], before, unused)[0].message,
    ).toContain("its name must stay 'is_urgent'")
  })
})

describe('a removed field', () => {
  const before = { case_meta: [], issue_meta: [] } as Metas
  const [referral, other]: Group[] = [
    group('referral', [field('ward')]),
    group('other', [visibleWhen('note', { ward: { set: true } })]),
  ]
  const usage: Usage = { case_meta: { ward: 12 }, issue_meta: {} }
  const after = (...groups: Group[]) =>
    checkMeta({ ...before, case_meta: groups }, known, {
      meta: { ...before, case_meta: [referral, other] },
      usage,
    })

  it('is named in the errors, not the field now in its place', () => {
    expect(after(other)).toEqual([
      {
        meta: 'case_meta',
        path: [0, 'fields', 0, 'attrs', 'when', 'ward'],
        field: 'note',
        message: "This condition looks at 'Ward', which is removed; choose another or remove it",
      },
      {
        meta: 'case_meta',
        path: [],
        field: 'ward',
        message:
          "'Referral' is removed with 'Ward', which is answered in 12 cases: put the group back and switch it off instead",
      },
    ])
  })

  it('is reported at its group if that stays, wherever it moved', () => {
    const [found] = after(other, { ...referral, fields: [] }).filter((p) => p.path.length === 1)
    expect(found).toMatchObject({ path: [1], field: 'ward' })
  })
})

describe('calculations', () => {
  const sum = (of: Argument[], attrs: FieldAttrs = {}, name = 'total') =>
    field(name, 'integer', { calc: 'sum', of, ...attrs })
  const costs = repeat('costs', [field('amount', 'integer'), field('note')])

  it('may name fields, columns of all rows, numbers, today and texts', () => {
    expect(
      messages(
        field('a', 'integer'),
        field('from', 'date'),
        costs,
        sum(['a', 'costs.amount', 3]),
        field('due', 'date', { calc: 'add_working_days', of: ['from', 10] }),
        field('age', 'integer', { calc: 'age_at', of: ['from', '$today'] }),
        field('name', 'text', { calc: 'join_text', of: ['a', { text: ', ' }, 'costs.note'] }),
        field('rows', 'integer', { calc: 'count', of: ['costs'] }),
        field('score', 'integer', { calc: 'score', of: ['kind'] }),
        choice('kind', ['x', 'y']),
      ),
    ).toEqual([])
  })

  it.each<[string, Field[]]>([
    ["'Total' is calculated from 'gone', but there is no such field; choose another", [sum(['gone'])]],
    [
      "'Total' is calculated from 'cost' of 'Costs', but there is no such column",
      [costs, sum(['costs.cost'])],
    ],
    ["Choose the column of 'Costs' from which 'Total' is calculated", [costs, sum(['costs'])]],
    ["Choose what 'Total' is calculated from", [sum([''])]],
    [
      "Choose how 'Total' is calculated, or remove what it is calculated from",
      [sum([3], { calc: undefined })],
    ],
    ["Choose what 'Total' is calculated from: 'Sum' needs at least 1 and at most 50", [sum([])]],
    [
      "From 'A' this cannot be calculated: the calculation 'Sum' needs a number there",
      [field('a', 'date'), sum(['a'])],
    ],
    ["Today is a date, but the calculation 'Sum' needs a number there", [sum(['$today'])]],
    [
      "From 'Gender' this cannot be calculated: the calculation 'Score' needs choices that are written with the field there",
      [
        field('gender', 'select', { lookup: 'gender' }),
        field('s', 'integer', { calc: 'score', of: ['gender'] }),
      ],
    ],
    [
      "The calculation 'Sum' does not give the type of 'Total'; make it 'Number' or 'Time taken' or 'Decimal number' or 'Money'",
      [{ ...sum([3]), type: 'text' }],
    ],
    ["'Total' is calculated, so it cannot be required; remove that", [sum([3], { required: true })]],
    ["'Total' is calculated, so it cannot have limits; remove that", [sum([3], { max: 3 })]],
    [
      "'Age' changes from day to day, so cases cannot be searched by it",
      [field('a', 'date'), field('age', 'integer', { calc: 'age_at', of: ['a', '$today'], report: true })],
    ],
    ["'Total' is calculated from itself; change its calculation", [sum(['total'])]],
    [
      "'A' and 'Total' depend on each other's answers: remove one of the conditions or calculations",
      [field('a', 'integer', { when: { total: { min: 3 } } }), sum(['a'])],
    ],
    [
      "'Costs' and 'Total' depend on each other's answers: remove one of the conditions or calculations",
      [repeat('costs', [sum(['total'], {}, 'cost')]), sum(['costs.cost'])],
    ],
    ["The public referral form cannot ask 'Total', which is calculated", [sum([3], { referral: true })]],
  ])('are refused: %s', (message, fields) => {
    // A circle is reported on each of its fields.
    expect([...new Set(messages(...fields))]).toEqual([message])
  })

  it('take no place of answers that people gave', () => {
    const before = caseMeta(group('one', [field('a', 'integer')]))
    const after = caseMeta(group('one', [field('a', 'integer', { calc: 'sum', of: [3] })]))
    const used = (count: number) => ({ meta: before, usage: { case_meta: { a: count }, issue_meta: {} } })
    expect(checkMeta(after, known, used(0))).toEqual([])
    expect(checkMeta(after, known, used(2)).map((p) => p.message)).toEqual([
      "'A' is answered in 2 cases, so it cannot be calculated; add a new field",
    ])
    // The other way round the values become answers.
    expect(checkMeta(before, known, { ...used(2), meta: after })).toEqual([])
  })
})

describe('notes and answers in texts', () => {
  const named = (text: string, attrs: FieldAttrs = {}) => ({ ...field('b', 'text', attrs), label: text })

  it('may name fields of the form and, in a row, its columns', () => {
    expect(
      messages(
        field('a'),
        named('About {a}', { help: '{a}' }),
        field('note', 'note', { text: '{a}', when: { a: { set: true } } }),
        repeat('rows', [field('c'), { ...field('d'), label: '{c} of {a}' }]),
      ),
    ).toEqual([])
  })

  it.each<[string, Field[]]>([
    ["This text names '{gone}', but there is no such field; choose another or remove it", [named('{gone}')]],
    ["'{b}' cannot stand in its own text; remove '{b}'", [named('{b}')]],
    ["The answer of 'A' cannot stand in a text; remove '{a}'", [field('a', 'contact'), named('{a}')]],
    [
      "The answer of 'A' cannot stand in a text; remove '{a}'",
      [field('a', 'text', { sensitive: true }), named('{a}')],
    ],
    [
      "Cases can be searched by 'Of {a}', so no answer can stand in its label",
      [field('a'), named('Of {a}', { report: true })],
    ],
    ["'N' is a note, which nobody answers; remove that", [field('n', 'note', { required: true })]],
    [
      "'N' is a note, which has no value; choose another field or remove this",
      [field('n', 'note'), visibleWhen('a', { n: { set: true } })],
    ],
    [
      "From 'N' this cannot be calculated: the calculation 'Number of answers' needs an answer there",
      [field('n', 'note'), field('a', 'integer', { calc: 'count', of: ['n'] })],
    ],
  ])('are refused: %s', (message, fields) => {
    expect(messages(...fields)).toEqual([message])
  })
})
