import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isFieldName, newFieldName } from '../../src/contract/fieldName.ts'
import type { Field, FieldAttrs, FieldType, Group } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import type { MetaName, Metas, Usage } from '../../src/contract/meta/metaTypes.ts'
import type { When } from '../../src/contract/when.ts'

const known = { lookups: { gender: {}, sfg_subcategory: { by: ['sfg_category'] } } }

function field(name: string, type: FieldType = 'text', attrs: FieldAttrs = {}, label = name): Field {
  return { name, label, type, attrs }
}
function select(name: string, ...values: (string | number)[]): Field {
  return field(name, 'select', { options: values.map((value) => ({ value, label: `Is ${value}` })) })
}
function group(...fields: Field[]): Group {
  return { name: 'one', label: 'One', fields }
}
function repeat(name: string, ...fields: Field[]): Field {
  return { ...field(name, 'repeat'), fields }
}
function shownWhen(name: string, when: When): Field {
  return field(name, 'text', { when })
}
function check(...groups: Group[]) {
  return checkMeta({ case_meta: groups, issue_meta: [] }, known)
}
const messages = (...fields: Field[]) => check(group(...fields)).map((p) => p.message)

describe('a form that may be published', () => {
  it('has no problems in the six real case types', () => {
    const lookups = JSON.parse(fs.readFileSync('schemas/lookups.json', 'utf8'))
    const types = JSON.parse(fs.readFileSync('src/server/demo/case-types.json', 'utf8')) as Metas[]
    for (const type of types) {
      const usage = { case_meta: {}, issue_meta: {} }
      expect(checkMeta(type, { lookups }, { meta: type, usage })).toEqual([])
    }
  })

  it('may be empty', () => {
    expect(checkMeta({ case_meta: [], issue_meta: [] }, known)).toEqual([])
  })

  it('says which meta, where, and which field', () => {
    const metas = { case_meta: [], issue_meta: [group(field('a'), field('b', 'text', {}, ' '))] }
    expect(checkMeta(metas, known)).toEqual([
      { meta: 'issue_meta', path: [0, 'fields', 1, 'label'], field: 'b', message: 'Give this field a label' },
    ])
  })
})

describe('names', () => {
  it('are unique in a meta across groups, in a repeat by its own', () => {
    const two = { ...group(field('a')), name: 'two' }
    expect(check(group(field('a')), two)[0]).toMatchObject({ path: [1, 'fields', 0, 'name'], field: 'a' })
    expect(messages(field('a'), repeat('b', field('a')))).toEqual([])
    expect(messages(repeat('b', field('a'), field('a')))).toHaveLength(1)
    expect(check(group(), group())[0].path).toEqual([1, 'name'])
    expect(checkMeta({ case_meta: [group(field('a'))], issue_meta: [group(field('a'))] }, known)).toEqual([])
  })

  it.each(['__proto__', 'toString', 'valueOf', 'hasOwnProperty', 'constructor', 'prototype'])(
    'are not %s',
    (name) => {
      expect(messages(field(name))[0]).toContain(`'${name}' cannot be the name of a field`)
      expect(check({ ...group(), name })[0].path).toEqual([0, 'name'])
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
    expect(messages(repeat('a', field('row')))).toHaveLength(1)
  })

  it('that lists read keep their type', () => {
    expect(messages(field('is_urgent', 'yesno'))).toEqual([])
    expect(check(group(field('is_urgent')))[0].path).toEqual([0, 'fields', 0, 'type'])
    expect(checkMeta({ case_meta: [], issue_meta: [group(field('is_urgent'))] }, known)).toEqual([])
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

  it('is unlike those taken, and never too long', () => {
    expect(newFieldName('A', new Set(['a', 'a_2']))).toBe('a_3')
    const long = newFieldName('word '.repeat(40), new Set())
    expect(isFieldName(long)).toBe(true)
    expect(isFieldName(newFieldName('word '.repeat(40), new Set([long])))).toBe(true)
  })
})

describe('labels and limits', () => {
  it('wants labels that are not blank and not too long', () => {
    expect(messages(field('a', 'text', {}, 'x'.repeat(200)))).toEqual([])
    expect(messages(field('a', 'text', {}, 'x'.repeat(201)))[0]).toContain('200 characters')
    expect(check({ ...group(), label: '\t' })[0]).toMatchObject({ path: [0, 'label'] })
  })

  it('counts groups and fields', () => {
    const groups = Array.from({ length: 101 }, (_, i) => ({ ...group(), name: `g${i}` }))
    expect(check(...groups)[0].message).toBe('A form may have 100 groups; remove 1 of them')
    const fields = Array.from({ length: 503 }, (_, i) => field(`f${i}`))
    expect(messages(...fields)).toEqual(['A form may have 500 fields; remove 3 of them'])
  })

  it('wants the least not above the most, in whole numbers', () => {
    expect(messages(field('a', 'integer', { min: 1, max: 1 }))).toEqual([])
    expect(messages(field('a', 'integer', { min: 2, max: 1 }))).toHaveLength(1)
    expect(messages(field('a', 'integer', { max: 1.5 }))).toHaveLength(1)
    expect(messages({ ...repeat('a', field('b')), attrs: { min: -1 } })).toHaveLength(1)
  })

  it('lets rules judge only what they can', () => {
    expect(messages(field('a', 'date', { rules: ['not_future'] }))).toEqual([])
    expect(messages(field('a', 'text', { rules: ['not_future'] }))).toHaveLength(1)
    expect(messages(field('a', 'text', { rules: ['made_up'] }))).toHaveLength(1)
  })

  it('wants after:… to name another date that it can see', () => {
    const after = (name: string) => field('b', 'date', { rules: [`after:${name}`] })
    expect(messages(field('a', 'date'), after('a'))).toEqual([])
    expect(messages(after('a'))[0]).toContain('no such field')
    expect(messages(field('a'), after('a'))[0]).toContain('no date')
    expect(messages(after('b'))[0]).toContain('itself')
    expect(messages(repeat('r', field('a', 'date'), after('a')))).toEqual([])
    expect(messages(field('a', 'date'), repeat('r', after('a')))).toHaveLength(1)
  })
})

describe('choices', () => {
  it('are options or a known list, not both, not neither', () => {
    expect(messages(select('a', 'x'), field('b', 'multiselect', { lookup: 'gender' }))).toEqual([])
    expect(messages(field('a', 'select'))).toEqual(["Add choices to 'a', or choose a list for it"])
    expect(messages(field('a', 'select', { options: [] }))).toHaveLength(1)
    expect(messages(field('a', 'select', { lookup: 'gander' }))[0]).toContain("did you mean 'gender'?")
    expect(messages(field('a', 'select', { lookup: 'toString' }))).toHaveLength(1)
    expect(
      messages({ ...select('a', 'x'), attrs: { ...select('a', 'x').attrs, lookup: 'gender' } }),
    ).toHaveLength(1)
    expect(messages(field('a', 'text', { lookup: 'gender' }))).toHaveLength(1)
  })

  it('are stored under values that differ', () => {
    expect(messages(select('a', 'x', 'x'))[0]).toContain("stored as 'x'")
    expect(messages(select('a', 1, '1'))).toEqual([])
  })

  it('begin with one of themselves', () => {
    const of = (preset: FieldAttrs['default']) =>
      messages({ ...select('a', 'x', 'y'), attrs: { ...select('a', 'x', 'y').attrs, default: preset } })
    expect(of('x')).toEqual([])
    expect(of(['x', 'y'])).toEqual([])
    expect(of('z')).toHaveLength(1)
  })

  it('are narrowed by what the list knows and the form has', () => {
    const sub = (lookup_params: FieldAttrs['lookup_params']) =>
      field('b', 'select', { lookup: 'sfg_subcategory', lookup_params })
    expect(messages(select('a', 1), sub({ sfg_category: '$a' }))).toEqual([])
    expect(messages(sub({ sfg_category: '$client.area' }), field('a'))).toEqual([])
    expect(messages(sub({ sfg_category: '$a' }))[0]).toContain('no such field')
    expect(messages(sub({ service: 1 }))[0]).toContain("'service'")
  })
})

describe('repeats', () => {
  it('have columns, and no repeat among them', () => {
    expect(messages(repeat('a'))).toEqual(["Add at least one column to 'a'"])
    expect(messages(repeat('a', repeat('b', field('c'))))[0]).toContain('inside a repeat')
    expect(messages({ ...field('a'), fields: [field('b')] })).toHaveLength(1)
  })
})

describe('conditions', () => {
  const ab = [select('a', 'x', 'y'), field('u', 'yesno'), field('n', 'integer'), field('c', 'contact')]
  const against = (when: When) => messages(...ab, shownWhen('z', when))

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
  ])('may say %j', (when) => {
    expect(against(when)).toEqual([])
  })

  it.each<[When, string]>([
    [{ b: 'x' }, 'no such field'],
    [{ '': '' }, 'Choose the field'],
    [{ a: '' }, "Choose a value of 'a'"],
    [{ a: [] }, "Choose a value of 'a'"],
    [{ a: { not: [] } }, "Choose a value of 'a'"],
    [{ n: { min: '' } }, "Choose a value of 'n'"],
    [{ a: 'w' }, "no choice 'w'"],
    [{ a: ['x', 'w'] }, "no choice 'w'"],
    [{ u: 'maybe' }, "no choice 'maybe'"],
    [{ u: { not: true } }, "no choice 'true'"],
    [{ n: 'x' }, "can never be the value of 'n'"],
    [{ c: 'x' }, 'only tell whether it has a value'],
    [{ any: [{ a: 'x' }, { b: 'x' }] }, 'no such field'],
    [{ toString: 'x' } as never, 'no such field'],
  ])('may not say %j', (when, words) => {
    expect(against(when)).toEqual([expect.stringContaining(words)])
  })

  it('are checked on groups, on what is required and in repeats', () => {
    expect(check({ ...group(), attrs: { when: { b: 1 } } })[0].path).toEqual([0, 'attrs', 'when', 'b'])
    expect(check(group(field('a', 'text', { required_when: { b: 1 } })))[0].path).toEqual([
      0,
      'fields',
      0,
      'attrs',
      'required_when',
      'b',
    ])
    const columns = repeat('r', select('a', 'p'), shownWhen('z', { a: 'p', u: 'yes' }))
    expect(messages(...ab, columns)).toEqual([])
    expect(check(group(...ab, repeat('r', shownWhen('z', { q: 1 }))))[0]).toMatchObject({
      path: [0, 'fields', 4, 'fields', 0, 'attrs', 'when', 'q'],
      field: 'r',
    })
    expect(messages(repeat('r', select('a', 'p')), shownWhen('z', { a: 'p' }))).toHaveLength(1)
  })
})

describe('circles of conditions', () => {
  const on = (name: string, other: string) => shownWhen(name, { [other]: { set: true } })

  it('are found whatever their length, each once', () => {
    expect(messages(on('a', 'a'))).toEqual(["'a' is shown depending on itself; change its condition"])
    expect(messages(on('a', 'b'), on('b', 'a'))).toEqual([
      "These conditions go in a circle: 'a' on 'b' and 'b' on 'a'; change one of them",
    ])
    expect(messages(on('a', 'b'), on('b', 'c'), on('c', 'a'), on('d', 'a'))[0]).toContain("'c' on 'a'")
    expect(messages(on('a', 'b'), on('b', 'c'), on('c', 'a'), on('d', 'a'))).toHaveLength(1)
    expect(messages(on('a', 'b'), on('b', 'a'), on('c', 'd'), on('d', 'c'))).toHaveLength(2)
  })

  it('may run through `any`, through a group and within a row', () => {
    expect(
      messages(shownWhen('a', { any: [{ b: 'x' }, { c: 'x' }] }), field('b'), on('c', 'a')),
    ).toHaveLength(1)
    expect(check({ ...group(field('a')), attrs: { when: { a: 'x' } } })[0].path).toEqual([0, 'attrs', 'when'])
    expect(messages(repeat('r', on('a', 'b'), on('b', 'a')))).toHaveLength(1)
  })

  it('are none where a field only is required, or two fields look at a third', () => {
    expect(messages(field('a', 'text', { required_when: { b: 'x' } }), on('b', 'a'))).toEqual([])
    expect(messages(field('a'), on('b', 'a'), on('c', 'a'), on('d', 'b'))).toEqual([])
  })
})

describe('a change of a form that holds answers', () => {
  const before = [group(field('is_urgent', 'yesno', {}, 'Urgent'), select('kind', 'x', 'y'), field('free'))]
  const usage: Usage = { case_meta: { is_urgent: 12, kind: 1 }, issue_meta: {} }

  function changed(after: Group[], was: Group[] = before, used: Usage = usage, meta: MetaName = 'case_meta') {
    const metas = (groups: Group[]): Metas => ({ case_meta: [], issue_meta: [], [meta]: groups })
    return checkMeta(metas(after), known, { meta: metas(was), usage: used })
  }
  const [urgent, kind, free] = before[0].fields

  it('may leave out, rename or retype what nobody answered', () => {
    expect(changed([group(urgent, kind)])).toEqual([])
    expect(changed([group(urgent, kind, field('other'))])).toEqual([])
    expect(changed([group(urgent, kind, { ...free, type: 'date' })])).toEqual([])
  })

  it('may switch off, move, relabel and add', () => {
    const off = { ...urgent, label: 'Hurry', attrs: { is_on: false } }
    expect(changed([{ ...group(free, kind), name: 'two' }, group(field('new'), off)])).toEqual([])
  })

  it('may not leave out what is answered', () => {
    expect(changed([group(kind, free)])).toEqual([
      {
        meta: 'case_meta',
        path: [0],
        field: 'is_urgent',
        message: "'Urgent' is answered in 12 cases; switch it off instead of removing it",
      },
    ])
    expect(changed([group(urgent, free)])[0].message).toContain("'kind' is answered in 1 case; switch it off")
    expect(changed([])).toHaveLength(2)
  })

  it('speaks of issues in the issue form', () => {
    const used = { case_meta: {}, issue_meta: { free: 1200 } }
    const [problem] = changed([group(urgent, kind)], before, used, 'issue_meta')
    expect(problem.message).toBe("'free' is answered in 1,200 issues; switch it off instead of removing it")
  })

  it('may not rename or retype what is answered', () => {
    expect(changed([group(urgent, { ...kind, name: 'sort' }, free)])[0]).toMatchObject({
      path: [0, 'fields', 1, 'name'],
      message: "'kind' is answered in 1 case, so its name must stay 'kind'; change its label instead",
    })
    expect(changed([group(urgent, { ...kind, type: 'multiselect' }, free)])[0]).toMatchObject({
      path: [0, 'fields', 1, 'type'],
    })
  })

  it('keeps every choice of an answered field, retired or not, and its list', () => {
    const retired = {
      ...kind,
      attrs: {
        options: [
          { value: 'x', label: 'X', active: false },
          { value: 'y', label: 'Y' },
        ],
      },
    }
    expect(changed([group(urgent, retired, free)])).toEqual([])
    expect(changed([group(urgent, select('kind', 'x'), free)])[0].message).toContain(
      "'Is y' of 'kind' is answered in 1 case, so it must stay; retire it",
    )
    expect(
      changed([group(urgent, field('kind', 'select', { lookup: 'gender' }), free)])[0].message,
    ).toContain('its list cannot change')
  })

  it('keeps the columns of an answered repeat', () => {
    const was = [group(repeat('r', field('a'), field('b')))]
    const used = { case_meta: { r: 3 }, issue_meta: {} }
    expect(changed([group(repeat('r', field('b'), field('c'), field('a')))], was, used)).toEqual([])
    expect(changed([group(repeat('r', field('b')))], was, used)[0].message).toContain(
      "'a' is answered in 3 cases",
    )
    expect(changed([group(repeat('r', field('a'), field('b', 'date')))], was, used)[0].path).toEqual([
      0,
      'fields',
      0,
      'fields',
      1,
      'type',
    ])
  })

  it('keeps what lists read even where nobody answered it', () => {
    const unused: Usage = { case_meta: {}, issue_meta: {} }
    expect(changed([group(kind, free)], before, unused)[0].message).toContain(
      "Lists and reports read 'Urgent'",
    )
    expect(changed([group({ ...urgent, attrs: { is_on: false } })], before, unused)).toEqual([])
    expect(changed([group({ ...urgent, name: 'hurry' }, kind, free)], before, unused)[0].message).toContain(
      "its name must stay 'is_urgent'",
    )
  })
})

describe('what is removed', () => {
  const before = { case_meta: [], issue_meta: [] } as Metas
  const [referral, other]: Group[] = [
    { name: 'referral', label: 'Referral', fields: [field('ward', 'text', {}, 'Ward')] },
    { name: 'other', label: 'Other', fields: [shownWhen('note', { ward: { set: true } })] },
  ]
  const usage: Usage = { case_meta: { ward: 12 }, issue_meta: {} }
  const after = (...groups: Group[]) =>
    checkMeta({ ...before, case_meta: groups }, known, {
      meta: { ...before, case_meta: [referral, other] },
      usage,
    })

  it('is blamed by its own name, not on what stands in its place now', () => {
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

  it('is blamed on its group where that stays, wherever it stands', () => {
    const [found] = after(other, { ...referral, fields: [] }).filter((p) => p.path.length === 1)
    expect(found).toMatchObject({ path: [1], field: 'ward' })
  })
})
