import { describe, expect, it } from 'vitest'
import type { Field } from '../../src/contract/generated.ts'
import { explainField } from '../../src/contract/meta/explainField.ts'
import { whyField } from '../../src/contract/meta/why.ts'
import { visible } from '../../src/contract/visible.ts'
import type { Values } from '../../src/contract/when.ts'
import { choice, demoMetas, field, group, hostileMetas, repeat, visibleWhen, yesno } from './metaBuilders.ts'

const ask = (fields: Field[], name: string, answers: Values = {}) =>
  whyField([group('one', fields)], name, { answers })

describe('why a field is visible', () => {
  it('is that it has no condition, or that its condition holds', () => {
    expect(ask([field('ward')], 'ward')).toEqual({
      isVisible: true,
      isRequired: false,
      visibleReasons: ["'Ward' is always shown."],
      required: ["'Ward' is optional."],
    })
    expect(
      ask([yesno('urgent'), visibleWhen('ward', { urgent: 'yes' })], 'ward', { urgent: 'yes' })
        .visibleReasons,
    ).toEqual(["'Ward' is shown because 'Urgent' is Yes."])
  })
})

describe('a calculated field', () => {
  it('says what it is calculated from, and how that stands', () => {
    const due = field('due', 'date', { calc: 'add_working_days', of: ['received', 10] })
    expect(ask([field('received', 'date'), due], 'due', { received: '2026-06-04' })).toEqual({
      isVisible: true,
      isRequired: false,
      visibleReasons: ["'Due' is always shown."],
      required: ["'Due' is calculated: 10 working days after 'Received'; 'Received' is now 4 June 2026."],
    })
  })

  it('gives its current value to the condition of another field', () => {
    const total = field('total', 'integer', { calc: 'sum', of: ['a'] })
    const fields = [field('a', 'integer'), total, visibleWhen('why', { total: { min: 10 } })]
    expect(ask(fields, 'why', { a: 3, total: 50 }).visibleReasons).toEqual([
      "'Why' is shown only when 'Total' is at least 10; 'Total' is now 3.",
    ])
  })
})

describe('a condition that is not finished', () => {
  const urgent = yesno('urgent')

  it('names what is still to be chosen', () => {
    const hidden = "'Ward' is not shown: its condition is not finished."
    expect(ask([visibleWhen('ward', { '': '' })], 'ward').visibleReasons).toEqual([
      `${hidden} Choose the field that it looks at.`,
    ])
    expect(ask([urgent, visibleWhen('ward', { urgent: '' })], 'ward').visibleReasons).toEqual([
      `${hidden} Choose the value of 'Urgent'.`,
    ])
    expect(ask([urgent, visibleWhen('ward', { urgent: { not: [] } })], 'ward').visibleReasons).toEqual([
      "'Ward' is shown although its condition is not finished. Choose the value of 'Urgent'.",
    ])
    expect(ask([field('ward', 'text', { required_when: { '': '' } })], 'ward').required).toEqual([
      "'Ward' need not be answered: that condition is not finished. Choose the field that it looks at.",
    ])
  })
})

describe('why a field is hidden', () => {
  const urgent = yesno('urgent')
  const ward = visibleWhen('ward', { urgent: 'yes' })

  it('is that the field or its group is off', () => {
    const off = field('ward', 'text', { is_on: false })
    expect(ask([off], 'ward').visibleReasons).toEqual(["'Ward' is switched off."])
    expect(whyField([group('one', [off], { is_on: false })], 'ward', {}).visibleReasons).toEqual([
      "Its group 'One' is switched off.",
      "'Ward' is switched off.",
    ])
  })

  it('is a condition that does not hold, with the current answer', () => {
    const only = "'Ward' is shown only when 'Urgent' is Yes"
    expect(ask([urgent, ward], 'ward', { urgent: 'no' }).visibleReasons).toEqual([
      `${only}; 'Urgent' is now No.`,
    ])
    expect(ask([urgent, ward], 'ward', { urgent: '' }).visibleReasons).toEqual([
      `${only}; 'Urgent' has no answer.`,
    ])
    const off = yesno('urgent', { is_on: false })
    expect(ask([off, ward], 'ward', { urgent: 'yes' }).visibleReasons).toEqual([
      `${only}; 'Urgent' is itself switched off.`,
    ])
    const hidden = yesno('urgent', { when: { first: 'x' } })
    expect(ask([field('first'), hidden, ward], 'ward', { urgent: 'yes' }).visibleReasons).toEqual([
      `${only}; 'Urgent' is itself hidden.`,
    ])
  })

  it('names only the failing parts of a condition, and all alternatives', () => {
    const both = visibleWhen('a', { urgent: 'yes', x: { set: true } })
    expect(ask([urgent, field('x'), both], 'a', { urgent: 'yes' }).visibleReasons).toEqual([
      "'A' is shown only when 'Urgent' is Yes and 'X' has a value; 'X' has no answer.",
    ])
    const either = visibleWhen('a', { any: [{ urgent: 'yes' }, { x: 'y' }] })
    expect(ask([urgent, field('x'), either], 'a', { x: 'z' }).visibleReasons).toEqual([
      "'A' is shown only when ('Urgent' is Yes or 'X' is y); 'Urgent' has no answer, 'X' is now z.",
    ])
  })

  it('is the condition of its group', () => {
    const groups = [group('one', [urgent]), group('two', [ward], { when: { urgent: 'yes' } })]
    expect(whyField(groups, 'ward', { answers: { urgent: 'no' } }).visibleReasons[0]).toBe(
      "Its group 'Two' is shown only when 'Urgent' is Yes; 'Urgent' is now No.",
    )
  })

  it('uses the labels of lookup items, also in rows', () => {
    const kind = field('kind', 'select', { lookup: 'kinds' })
    const many = field('many', 'multiselect', { lookup: 'kinds' })
    const when = { kind: 14, many: 15 }
    const groups = [
      group('one', [kind, many, visibleWhen('a', when), repeat('rows', [visibleWhen('b', when)])]),
    ]
    const label = (lookup: string, value: number) => (value < 16 ? `${lookup} ${value}` : undefined)
    const answers = { kind: 13, many: [14, 16], rows: [{}] }
    const tail =
      "only when 'Kind' is kinds 14 and 'Many' includes kinds 15; 'Kind' is now kinds 13, 'Many' is now kinds 14, item 16."
    expect(whyField(groups, 'a', { answers }, label).visibleReasons).toEqual([`'A' is shown ${tail}`])
    expect(whyField(groups, 'rows.0.b', { answers }, label).visibleReasons).toEqual([`'B' is shown ${tail}`])
    const now = whyField(groups, 'a', { answers: { kind: 14, many: [15] } }, label)
    expect(now.visibleReasons).toEqual([
      "'A' is shown because 'Kind' is kinds 14 and 'Many' includes kinds 15.",
    ])
  })

  it('may be a value of the record', () => {
    const groups = [group('one', [visibleWhen('a', { 'record.is_opened': false })])]
    expect(whyField(groups, 'a', { record: { is_opened: true } }).visibleReasons).toEqual([
      "'A' is shown only when 'is opened' of the record is No; 'is opened' of the record is now Yes.",
    ])
  })

  it('is a circular condition if nothing else hides it', () => {
    const circle = [visibleWhen('a', { b: { set: false } }), visibleWhen('b', { a: { set: false } })]
    const { isVisible, visibleReasons: why } = ask(circle, 'a', { a: 'x', b: 'x' })
    expect([isVisible, why.length > 0]).toEqual([false, true])
  })

  it('is that there is no such field', () => {
    expect(ask([urgent], '__proto__').visibleReasons).toEqual(["There is no field '__proto__'."])
    expect(ask([urgent], 'urgent.0.x').visibleReasons).toEqual(["There is no field 'urgent.0.x'."])
  })
})

describe('why a column is hidden', () => {
  const columns = [
    yesno('adult'),
    visibleWhen('phone', { adult: 'yes', outside: 'yes' }, { required_when: { adult: 'yes' } }),
  ]
  const fields = [yesno('outside'), repeat('family', columns)]
  const answers = {
    outside: 'yes',
    family: [
      { row: '1', adult: 'no' },
      { row: '2', adult: 'yes' },
    ],
  }

  it('depends on its own row', () => {
    expect(ask(fields, 'family.0.phone', answers)).toEqual({
      isVisible: false,
      isRequired: false,
      visibleReasons: ["'Phone' is shown only when 'Adult' is Yes and 'Outside' is Yes; 'Adult' is now No."],
      required: ["'Phone' need not be answered while it is hidden."],
    })
    expect(ask(fields, 'family.1.phone', answers)).toMatchObject({
      isVisible: true,
      isRequired: true,
      required: ["'Phone' must be answered because 'Adult' is Yes."],
    })
    expect(ask(fields, 'family.7.phone', answers).isVisible).toBe(false)
  })

  it('depends on the row of the condition context, and on its repeat', () => {
    const row = { adult: 'yes' }
    expect(whyField([group('one', fields)], 'family.phone', { answers, row }).isVisible).toBe(true)
    const hidden = [fields[0], { ...fields[1], attrs: { when: { outside: 'no' } } }]
    expect(ask(hidden, 'family.1.phone', answers)).toMatchObject({
      isVisible: false,
      visibleReasons: ["'Family' is shown only when 'Outside' is No; 'Outside' is now Yes."],
    })
  })
})

describe('why a field is required', () => {
  it('is that it is required while visible, or that its condition holds', () => {
    const must = (attrs: Field['attrs'], answers = {}) => {
      const { isRequired, required } = ask([yesno('urgent'), field('a', 'text', attrs)], 'a', answers)
      return [isRequired, ...required]
    }
    expect(must({ required: true })).toEqual([true, "'A' must be answered while it is shown."])
    const when = { required_when: { urgent: 'yes' } }
    expect(must(when, { urgent: 'yes' })).toEqual([true, "'A' must be answered because 'Urgent' is Yes."])
    expect(must(when, { urgent: 'no' })).toEqual([
      false,
      "'A' must be answered only when 'Urgent' is Yes; 'Urgent' is now No.",
    ])
    expect(must({ required: true, is_on: false })).toEqual([
      false,
      "'A' need not be answered while it is hidden.",
    ])
  })
})

describe('every field', () => {
  it('of the case types of the demo agrees with visible()', () => {
    for (const { case_meta, issue_meta } of demoMetas()) {
      for (const groups of [case_meta, issue_meta]) {
        for (const answers of [{}, { is_urgent: 'yes', decision_made: 'yes', referring_from: 1 }]) {
          const found = new Set(visible(groups, { answers }).flatMap((g) => g.fields.map((f) => f.name)))
          for (const { name } of groups.flatMap((g) => g.fields)) {
            const why = whyField(groups, name, { answers })
            expect([name, why.isVisible]).toEqual([name, found.has(name)])
            expect(why.visibleReasons.every((words) => /^['I].*\.$/s.test(words))).toBe(true)
            expect(why.visibleReasons.length).toBeGreaterThan(0)
          }
        }
      }
    }
  })

  it('of hostile forms has reasons', () => {
    const answers = JSON.parse('{"__proto__": "yes", "a": "yes", "constructor": 1}')
    for (const { case_meta } of hostileMetas()) {
      for (const { name } of case_meta.flatMap((g) => g.fields)) {
        const { visibleReasons: why, required } = whyField(case_meta, name, { answers })
        expect(why.length * required.length).toBeGreaterThan(0)
        expect([...why, ...required].join(' ').length).toBeLessThan(1500)
      }
    }
    expect(ask([choice('a', ['x'])], 'a', { a: {} }).isVisible).toBe(true)
  })
})

describe('what staff read of a field', () => {
  const fields = [
    field('score', 'integer', { hidden: true, default: 7 }),
    yesno('in_care'),
    field('plan', 'text', { required_when: { score: { min: 5 } }, when: { in_care: 'yes' } }),
    field('worker', 'text', { required_when: { in_care: 'yes' } }),
    field('total', 'integer', { calc: 'sum', of: ['score', 'more'] }),
    field('more', 'integer'),
    { ...field('visits', 'text', { required_when: { more: { min: 1 } } }), label: 'Visits of {worker}' },
  ]
  const explain = (name: string, answers: Values) =>
    explainField([group('one', fields)], name, { answers: { score: 7, ...answers } })

  it('is only what decides about it now', () => {
    expect(explain('worker', { in_care: 'yes' })).toEqual([
      "'Worker' must be answered because 'In_care' is Yes.",
    ])
    expect(explain('more', {})).toEqual([])
    expect(explain('plan', {})).toEqual([
      "'Plan' is shown only when 'In_care' is Yes; 'In_care' has no answer.",
    ])
  })

  it('leaves out the answers of hidden fields', () => {
    expect(explain('plan', { in_care: 'yes' })).toEqual([
      "'Plan' must be answered because an answer that is not shown here calls for it.",
    ])
    expect(explain('total', { more: 2 })).toEqual([
      "'Total' is calculated: the sum of 'Score' and 'More'; 'More' is now 2.",
    ])
  })

  it('has the answers in its labels', () => {
    expect(explain('visits', { more: 2, worker: 'Ann' })).toEqual([
      "'Visits of Ann' must be answered because 'More' is at least 1.",
    ])
  })
})
