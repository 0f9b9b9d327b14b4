import { describe, expect, it } from 'vitest'
import { adviceOn } from '../../src/constructor/forms/advice.ts'
import { differences } from '../../src/constructor/forms/diff.ts'
import { impactOf } from '../../src/constructor/forms/impact.ts'
import { keepAnswered } from '../../src/constructor/forms/keepAnswered.ts'
import { possible } from '../../src/constructor/forms/possible.ts'
import type { Check, Field, FieldAttrs } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { publicGroups } from '../../src/contract/meta/publicFields.ts'
import { whyField } from '../../src/contract/meta/why.ts'
import { holds, type Test, type When } from '../../src/contract/when.ts'
import { caseMeta, choice, field, group, repeat, yesno } from './metaBuilders.ts'

const EARLY: Check = {
  when: { end: { max: { path: 'start' }, not: { path: 'start' } } },
  message: 'The end cannot be before the start',
}
const start = field('start', 'date')
const end = (attrs: FieldAttrs = {}) => field('end', 'date', attrs)
const known = { lookups: { gender: {} } }
const problems = (...fields: Field[]) =>
  checkMeta(caseMeta(group('g', fields)), known).map(({ path, message }) => [
    path.slice(3).join('.'),
    message,
  ])
const wrong = (when: When, ...more: Field[]) =>
  problems(start, end({ checks: [{ when, message: 'No' }] }), ...more).map(([, message]) => message)

describe('a form with checks', () => {
  it('may be published where they look at fields of the same kind', () => {
    expect(problems(start, end({ checks: [EARLY] }))).toEqual([])
    expect(wrong({ end: { min: { path: 'with.client.dob' } } })).toEqual([])
    expect(wrong({ a: { path: 'b' } }, choice('a', ['x']), choice('b', ['x'], {}, 'multiselect'))).toEqual([])
  })

  it('says which field a check misses, and which it cannot compare', () => {
    expect(problems(end({ checks: [EARLY] }))).toEqual([
      [
        'attrs.checks.0.when.end',
        "This condition compares 'End' with 'start', but there is no such field; choose another or remove it",
      ],
    ])
    expect(wrong({ end: { max: { path: 'age' } } }, field('age', 'integer'))).toEqual([
      "'End' cannot be compared with 'Age': choose a field of the same type",
    ])
    const [whole, exact] = [field('whole', 'integer'), field('exact', 'decimal', { places: 1 })]
    const [pounds, euros] = [field('pounds', 'money'), field('euros', 'money', { currency: 'EUR' })]
    for (const other of [exact, field('points', 'scale'), pounds, field('born', 'year')])
      expect(wrong({ whole: { max: { path: other.name } } }, whole, other)).toEqual([])
    for (const other of [field('spent', 'duration'), field('day', 'date')])
      expect(wrong({ whole: { max: { path: other.name } } }, whole, other)).toHaveLength(1)
    expect(wrong({ pounds: { max: { path: 'euros' } } }, pounds, euros)).toHaveLength(1)
    expect(wrong({ end: { max: { path: 'end' } } })).toEqual([
      "'End' is compared with itself; choose another field",
    ])
    expect(wrong({ who: { path: 'name' } }, field('who', 'contact'), field('name'))).toEqual([
      "'Who' cannot be compared with 'Name': choose a field of the same type",
    ])
    expect(
      wrong({ a: { path: 'b' } }, choice('a', ['x']), field('b', 'select', { lookup: 'gender' })),
    ).toEqual(["'A' cannot be compared with 'B': choose a field of the same type"])
    expect(wrong({ end: { min: { path: '' } } })).toEqual(["Choose a value of 'End' for this condition"])
  })

  it('is refused a condition on Not known of a question that does not offer it', () => {
    const asked = yesno('urgent', { known_only: true })
    expect(problems(asked, field('a', 'text', { when: { urgent: ['yes', 'not_known'] } }))).toEqual([
      ['attrs.when.urgent', "'Urgent' is not offered ‘Not known’; choose another value, or offer it"],
    ])
    expect(problems(asked, field('a', 'text', { when: { urgent: 'no' } }))).toEqual([])
  })

  it('is refused radio buttons for the choices of a list', () => {
    expect(problems(field('who', 'select', { lookup: 'gender', radios: true }))).toEqual([
      ['attrs.radios', "'Who' takes its choices from a list; only choices of its own can be radio buttons"],
    ])
  })

  it('says that a check needs a message', () => {
    expect(problems(start, end({ checks: [{ ...EARLY, message: ' ' }] }))).toEqual([
      ['attrs.checks.0.message', 'Say what is wrong while this condition holds'],
    ])
  })

  it('names a field that is removed though a check compares with it', () => {
    const before = caseMeta(group('g', [start, end()]))
    const after = caseMeta(group('g', [end({ checks: [EARLY] })]))
    const usage = { case_meta: {}, issue_meta: {} }
    expect(checkMeta(after, known, { meta: before, usage }).map((p) => p.message)).toEqual([
      "This condition compares 'End' with 'Start', which is removed; choose another or remove it",
    ])
  })

  it('looks in the row of a repeat first', () => {
    expect(problems(repeat('rows', [start, end({ checks: [EARLY] })]))).toEqual([])
  })

  it('counts a path that a condition compares with as one that it waits for', () => {
    const fields = [
      field('a', 'text', { when: { c: { path: 'b' } } }),
      field('b', 'text', { when: { a: 'x' } }),
      field('c'),
    ]
    const message = "'A' and 'B' depend on each other's answers: remove one of the conditions"
    expect(problems(...fields).map(([, one]) => one)).toEqual([message, message])
  })

  it('is advised where a check can never hold', () => {
    const advised = (...fields: Field[]) => adviceOn(caseMeta(group('g', fields))).map((p) => p.message)
    const never = (when: When) => end({ checks: [{ when, message: 'No' }] })
    expect(advised(never({ end: { set: false } }))).toEqual([
      "'End' is never refused with “No”: \"'End' has no value\" and \"'End' has a value\" exclude each other",
    ])
    expect(advised(yesno('urgent'), never({ urgent: 'yes', any: [{ urgent: 'no' }] }))[0]).toContain(
      "'End' is never refused with “No”",
    )
    expect(advised(start, end({ checks: [EARLY] }))).toEqual([])
  })

  it('is advised where a check looks at a field that is switched off', () => {
    const off = field('start', 'date', { is_on: false })
    expect(adviceOn(caseMeta(group('g', [off, end({ checks: [EARLY] })])))).toEqual([
      {
        meta: 'case_meta',
        path: [0, 'fields', 1, 'attrs', 'checks', 0],
        field: 'end',
        message: "'End' is checked depending on 'Start', which is switched off and so never has a value",
      },
    ])
  })
})

describe('what another field has', () => {
  it.each<[Test, boolean]>([
    [{ path: 'b' }, true],
    [['yes', { path: 'b' }], true],
    [{ not: { path: 'b' } }, true],
    [{ min: { path: 'b' } }, true],
    [{ min: { path: 'b' }, set: false }, false],
  ])('may be anything: %j', (test, expected) => {
    expect(possible([test], yesno('a'))).toBe(expected)
  })

  it('never makes a condition impossible that some answers fulfil', () => {
    const b = { path: 'b' }
    const tests: Test[] = ['yes', 'no', null, b, ['yes', b], ['no', null], { not: b }, { not: ['yes', b] }]
    tests.push(
      { not: 'no' },
      { min: b },
      { max: b, not: b },
      { min: 'no', max: b },
      { set: true },
      { set: false },
    )
    const values = ['yes', 'no', 'not_known', undefined]
    const wrongly = tests.flatMap((one) =>
      tests.filter((other) => {
        const isFulfilled = values.some((a) =>
          values.some((b) => [one, other].every((test) => holds({ a: test }, { answers: { a, b } }))),
        )
        return isFulfilled && !possible([one, other], yesno('a'))
      }),
    )
    expect(wrongly).toEqual([])
  })
})

describe('between two versions', () => {
  const before = caseMeta(group('g', [start, end(), field('note', 'textarea')]))
  const after = caseMeta(
    group('g', [start, end({ checks: [EARLY] }), field('note', 'textarea', { max_words: 300 })]),
  )

  it('a changed check and word limit are described in words', () => {
    expect(differences(before, after).map(({ parts }) => parts)).toEqual([
      [
        {
          name: 'Checks',
          before: '',
          after: "The end cannot be before the start – when 'End' is before 'Start'",
        },
      ],
      [{ name: 'Most words', before: '', after: '300' }],
    ])
  })

  it('the effect of changed checks on stored answers is described', () => {
    const usage = { cases: 9, issues: 0, case_meta: { end: 4, note: 1 }, issue_meta: {} }
    expect(impactOf(before, after, usage).map(({ words }) => words)).toEqual([
      "'End' is refused now when 'End' is before 'Start': 4 of 9 cases have an answer; one that breaks this stays until it is changed",
      "'Note' may have at most 300 words now: 1 of 9 cases has an answer; one that breaks this stays until it is changed",
    ])
    const other = caseMeta(group('g', [start, end({ checks: [{ ...EARLY, message: 'Other' }] })]))
    expect(
      impactOf(
        caseMeta(...after.case_meta.map((g) => ({ ...g, fields: g.fields.slice(0, 2) }))),
        other,
        usage,
      ),
    ).toEqual([])
  })

  it('changed file kinds and sizes are described', () => {
    const limits: FieldAttrs[] = [{}, { accept: ['pdf', 'picture'], max_size: 5 }]
    const versions = limits.map((attrs) => caseMeta(group('g', [field('scan', 'file', attrs)])))
    expect(differences(versions[0], versions[1])[0].parts).toEqual([
      { name: 'Kinds of file', before: '', after: 'A PDF or a picture' },
      { name: 'Largest file', before: '', after: '5 MB' },
    ])
    const usage = { cases: 9, issues: 0, case_meta: { scan: 4 }, issue_meta: {} }
    expect(impactOf(versions[0], versions[1], usage).map(({ words }) => words)).toEqual([
      "'Scan' must be 5 MB or smaller and must be a PDF or a picture now: 4 of 9 cases have an answer; one that breaks this stays until it is changed",
    ])
    expect(impactOf(versions[1], versions[0], usage)).toEqual([])
  })

  it('a field that is kept switched off loses a check on what is gone', () => {
    const now = caseMeta(group('g', [start, end({ checks: [EARLY] })]))
    const old = caseMeta(group('g', [field('other')]))
    const usage = { case_meta: { end: 1 }, issue_meta: {} }
    const { metas } = keepAnswered(old, now, usage)
    expect(metas.case_meta[0].fields[1]).toEqual(end({ is_on: false }))
  })
})

describe('why an answer is refused', () => {
  const form = [
    group('g', [start, end({ checks: [EARLY] }), repeat('rows', [start, end({ checks: [EARLY] })])]),
  ]
  const refused = (name: string, answers: object) => whyField(form, name, { answers: { ...answers } }).refused

  it('is the condition of the check, with how what it looks at stands', () => {
    expect(refused('end', { start: '2026-05-02', end: '2026-05-01' })).toEqual([
      "'End' is refused because 'End' is before 'Start'; 'End' is now 1 May 2026, 'Start' is now 2 May 2026.",
    ])
    expect(refused('end', { start: '2026-05-01', end: '2026-05-01' })).toBeUndefined()
    expect(refused('end', { start: '2026-05-01' })).toBeUndefined()
    expect(refused('rows.0.end', { rows: [{ start: '2026-05-02', end: '2026-05-01' }] })).toHaveLength(1)
  })
})

describe('the public referral form', () => {
  it('leaves out checks on what it does not ask', () => {
    const other: Check = { when: { end: { not: { path: 'other' } } }, message: 'Not the same' }
    const attrs = { referral: true }
    const form = [
      group('g', [
        field('start', 'date', attrs),
        field('other', 'date'),
        end({ ...attrs, checks: [EARLY, other] }),
        { ...repeat('rows', [start, end({ checks: [EARLY, other] })]), attrs },
      ]),
    ]
    const [asked] = publicGroups(form, known)
    expect(asked.fields.map(({ name }) => name)).toEqual(['start', 'end', 'rows'])
    expect(asked.fields[1].attrs?.checks).toEqual([EARLY])
    expect(asked.fields[2].fields?.[1].attrs?.checks).toEqual([EARLY])
  })
})
