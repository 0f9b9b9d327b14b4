import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  coverageOf,
  coverageSentence,
  describeUncovered,
  isCovered,
} from '../../src/constructor/forms/formTestCoverage.ts'
import { contextOfService } from '../../src/contract/caseType/formTestContext.ts'
import { MAX_FORM_TESTS, recordFormTest, updateFormTest } from '../../src/contract/caseType/formTests.ts'
import { runFormTest, runFormTests } from '../../src/contract/caseType/runFormTest.ts'
import type { Field, FormTest, Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { validateSchema as browserValidate } from '../../src/engine/form/store/validateSchema.ts'
import { ajvValidate as serverValidate } from '../../src/server/core/ajvValidate.ts'
import {
  caseMeta,
  choice,
  demoMetas,
  field,
  group,
  hostileMetas,
  repeat,
  visibleWhen,
  yesno,
} from './metaBuilders.ts'

const conditionContext = contextOfService(1)
const deps = { validateSchema: serverValidate, conditionContext }
const as = { today: '2026-06-04' }
const NAME = { name: 'A test', meta: 'case_meta' as const }

const record = (groups: Group[], given: Values, who: FormTest['as'] = as) =>
  recordFormTest(groups, { ...NAME, given, as: who }, deps)
const messages = (groups: Group[], test: FormTest) =>
  runFormTest(groups, test, deps).map(({ message }) => message)
const expecting = (given: Values, expectation: FormTest['expect']): FormTest => ({
  ...NAME,
  given,
  as,
  expect: expectation,
})

const ward = visibleWhen('ward', { urgent: 'yes' }, { required: true })
const due = field('due', 'date', { calc: 'add_days', of: ['received', 5] })
const received = field('received', 'date', { rules: ['not_future'] })
const form = [group('one', [yesno('urgent'), ward, received, due, field('note')])]

describe('a test that is recorded', () => {
  it('names what conditions decide about and what was answered, and all that is required, refused and calculated', () => {
    expect(record(form, { urgent: 'yes', received: '2026-06-01', note: '' })).toEqual({
      ...NAME,
      given: { urgent: 'yes', received: '2026-06-01' },
      as,
      expect: {
        visible: ['urgent', 'ward', 'received'],
        hidden: [],
        required: ['ward'],
        errors: {},
        calculated: { due: '2026-06-06' },
      },
    })
    expect(record(form, { urgent: 'no', ward: 'B', received: '2026-06-05' }).expect).toMatchObject({
      visible: ['urgent', 'received'],
      hidden: ['ward'],
      required: [],
      errors: { received: 'Received must be today or in the past' },
    })
  })

  it('leaves out what is calculated, switched off, a note or no field at all', () => {
    const off = visibleWhen('off', { urgent: 'yes' }, { is_on: false })
    const note = field('read_me', 'note', { when: { urgent: 'yes' }, required: true })
    const test = record([group('one', [yesno('urgent'), off, note, due])], {
      urgent: 'yes',
      due: 'x',
      other: 1,
    })
    expect(test.given).toEqual({ urgent: 'yes' })
    expect(test.expect).toMatchObject({
      visible: ['urgent', 'read_me'],
      required: [],
      calculated: { due: null },
    })
  })

  it('names columns by their row', () => {
    const columns = [yesno('away'), visibleWhen('phone', { away: 'no' }, { required: true }), field('kin')]
    const groups = [group('one', [repeat('family', columns)])]
    const test = record(groups, { family: [{ away: 'yes' }, { away: 'no' }] })
    expect(test.expect).toMatchObject({
      visible: ['family', 'family.1.phone'],
      hidden: ['family.0.phone'],
      required: ['family.1.phone'],
      errors: {},
    })
    const always = [group('one', [repeat('family', [columns[0], field('phone'), columns[2]])])]
    expect(messages(always, test)).toEqual([
      "'Phone' in row 1 of 'Family' should not be shown and is. 'Phone' is always shown.",
      "'Phone' in row 2 of 'Family' should be required and is not. 'Phone' is optional.",
    ])
  })

  it('knows for whom and when', () => {
    const groups = [
      group('one', [
        visibleWhen('mine', { 'user.groups': 4 }),
        visibleWhen('ours', { 'with.case.service': 1 }),
        field('age', 'integer', { calc: 'days_between', of: ['received', '$today'] }),
        received,
      ]),
    ]
    const given = { received: '2026-06-01' }
    expect(record(groups, given, { roles: [4], today: '2026-06-11' }).expect).toMatchObject({
      visible: ['mine', 'ours', 'received'],
      calculated: { age: 10 },
    })
    expect(record(groups, given).expect.hidden).toEqual(['mine'])
  })

  it('passes, on both sides of the wire, and goes on when fields are added or called otherwise', () => {
    for (const { case_meta, issue_meta } of demoMetas()) {
      for (const groups of [case_meta, issue_meta]) {
        const test = record(groups, { risk_known: 'yes', report_needed: 'yes', date_received: '2026-07-01' })
        expect(messages(groups, test)).toEqual([])
        expect(runFormTest(groups, test, { conditionContext, validateSchema: browserValidate })).toEqual([])
        const more = groups.map((g) => ({ ...g, fields: [...g.fields, field(`new_${g.name}`)] }))
        expect(messages(more, test)).toEqual([])
      }
    }
  })

  it('is made of any form', () => {
    for (const { case_meta } of hostileMetas()) {
      const test = record(case_meta, { a: 'x', r: [{}, null, 'x'] })
      expect(messages(case_meta, test)).toEqual([])
      expect(coverageSentence(coverageOf(caseMeta(...case_meta), [test], conditionContext))).toBeTruthy()
    }
  })
})

describe('a test that fails', () => {
  const test = record(form, { urgent: 'yes', received: '2026-06-01' })
  const changed = (...fields: Field[]) => [
    group(
      'one',
      form[0].fields.map((f) => fields.find((one) => one.name === f.name) ?? f),
    ),
  ]

  it('names the field and why it is shown or hidden', () => {
    expect(messages(changed(visibleWhen('ward', { urgent: 'no' })), test)).toEqual([
      "'Ward' should be shown and is not. 'Ward' is shown only when 'Urgent' is No; 'Urgent' is now Yes.",
    ])
    const hidden = record(form, { urgent: 'no' })
    expect(messages(changed(field('ward')), hidden)).toEqual([
      "'Ward' should not be shown and is. 'Ward' is always shown.",
    ])
  })

  it('names what is required now and was not, or the other way round', () => {
    expect(messages(changed({ ...ward, attrs: { when: ward.attrs!.when } }), test)).toEqual([
      "'Ward' should be required and is not. 'Ward' is optional.",
    ])
    expect(messages(changed(field('note', 'text', { required: true })), test)).toEqual([
      "'Note' should not be required and is. 'Note' must be answered while it is shown.",
    ])
  })

  it('names what is refused now and was not, or the other way round', () => {
    const check = { when: { received: { max: '2026-06-02' } }, message: 'Too early' }
    expect(messages(changed(field('received', 'date', { checks: [check] })), test)).toEqual([
      "'Received' should be accepted and is refused with “Too early”. 'Received' is refused because 'Received' is at most 2 June 2026; 'Received' is now 1 June 2026.",
    ])
    const refused = record(form, { received: '2026-06-05' })
    expect(messages(changed(field('received', 'date')), refused)).toEqual([
      "'Received' should be refused with “Received must be today or in the past” and is accepted.",
    ])
    expect(
      messages(
        changed(
          field('received', 'date', { checks: [{ when: { received: { set: true } }, message: 'No' }] }),
        ),
        refused,
      )[0],
    ).toContain('and is refused with “No”')
  })

  it('names a value and what it is calculated from', () => {
    expect(messages(changed(field('due', 'date', { calc: 'add_days', of: ['received', 6] })), test)).toEqual([
      "'Due' should be 6 June 2026 and is 7 June 2026. 'Due' is calculated: 6 days after 'Received'; 'Received' is now 1 June 2026.",
    ])
    expect(messages(changed(field('due', 'date', { calc: 'add_days', of: ['note', 6] })), test)[0]).toContain(
      "'Due' should be 6 June 2026 and is without a value.",
    )
  })

  it('says of fields that are gone that there are none, once', () => {
    expect(messages([group('one', [yesno('urgent')])], test)).toEqual([
      "There is no field 'received'.",
      "There is no field 'ward'.",
      "There is no field 'due'.",
    ])
    expect(messages(form, expecting({}, { visible: ['__proto__', 'a.0.b'] }))).toEqual([
      "There is no field '__proto__'.",
      "There is no field 'a.0.b'.",
    ])
  })

  it('reports expected and actual values in readable words', () => {
    const names = Array.from({ length: 100 }, (_, i) => `f${i}`)
    expect(messages(form, expecting({}, { visible: names }))).toHaveLength(20)
  })

  it('expects nothing by keys that it does not have', () => {
    expect(messages(form, expecting({ urgent: 'yes', received: '2999-01-01' }, {}))).toEqual([])
  })

  it('stands among the others by its number', () => {
    const metas = caseMeta(...changed(field('ward')))
    const results = [...runFormTests(metas, [test, expecting({}, {}), test], deps)]
    expect(results.map(({ index, differences }) => [index, differences.length])).toEqual([
      [0, 1],
      [1, 0],
      [2, 1],
    ])
  })
})

describe('a test that is updated', () => {
  const given = { urgent: 'yes', ward: 'B', received: '2026-06-01', gone: 1 }
  const expectation = {
    visible: ['ward', 'gone'],
    hidden: ['note'],
    calculated: { due: '2000-01-01', gone: 1 },
  }
  const test = expecting(given, expectation)

  it('passes, and expects by the same keys of the same fields', () => {
    const groups = [
      group(
        'one',
        form[0].fields.map((f) => (f.name === 'ward' ? visibleWhen('ward', { urgent: 'no' }) : f)),
      ),
    ]
    const updated = updateFormTest(groups, test, deps)
    expect(updated).toEqual({
      ...test,
      given: { urgent: 'yes', ward: 'B', received: '2026-06-01' },
      expect: { visible: ['note'], hidden: ['ward'], calculated: { due: '2026-06-06' } },
    })
    expect(messages(groups, updated)).toEqual([])
  })

  it('expects anew what is required and refused, where it did so before', () => {
    const { expect: now } = updateFormTest(
      form,
      expecting({ urgent: 'yes' }, { required: [], errors: { ward: 'x' } }),
      deps,
    )
    expect(now).toEqual({ required: ['ward'], errors: {} })
    expect(updateFormTest(form, expecting({}, {}), deps).expect).toEqual({})
  })
})

it('knows how many tests there may be', () => {
  const { maxItems } = JSON.parse(fs.readFileSync('schemas/meta/formTests.json', 'utf8'))
  expect(MAX_FORM_TESTS).toBe(maxItems)
})

describe('the coverage of conditions', () => {
  const must = field('why', 'text', { required_when: { urgent: 'yes' } })
  const end = field('end', 'date', { checks: [{ when: { end: { max: '2026-01-01' } }, message: 'Early' }] })
  const off = visibleWhen('off', { urgent: 'yes' }, { is_on: false })
  const family = repeat('family', [yesno('away'), visibleWhen('phone', { away: 'no' })])
  const groups = [
    group('one', [yesno('urgent'), must, end, off, family]),
    group('two', [choice('kind', ['x', 'y']), visibleWhen('other', { kind: 'x' })], {
      when: { urgent: 'yes' },
    }),
  ]
  const coverage = (...given: Values[]) =>
    coverageOf(
      caseMeta(...groups),
      given.map((one) => record(groups, one)),
      conditionContext,
    )
  const open = (...given: Values[]) =>
    coverage(...given)
      .filter((one) => !isCovered(one))
      .map((one) => describeUncovered(one))

  it('counts conditions that both held and failed where something depended on them', () => {
    expect(coverage()).toHaveLength(5)
    expect(coverageSentence(coverage())).toBe('5 of 5 conditions are in no test.')
    expect(open({ urgent: 'no', end: '2026-02-01' }, { family: [{ away: 'no' }, { away: 'yes' }] })).toEqual([
      "'Why' must be answered when 'Urgent' is Yes: it does not hold in any test.",
      "'End' is refused when 'End' is at most 1 January 2026: it does not hold in any test.",
      "'Two' is shown when 'Urgent' is Yes: it does not hold in any test.",
      "'Other' is shown when 'Kind' is X: nothing depends on it in any test.",
    ])
    const all = [
      { urgent: 'no', end: '2026-02-01', family: [{ away: 'no' }, { away: 'yes' }] },
      { urgent: 'yes', end: '2025-02-01', kind: 'x' },
    ]
    expect(open(...all)).toEqual(["'Other' is shown when 'Kind' is X: it holds in every test."])
    expect(coverageSentence(coverage(...all))).toBe('1 of 5 conditions is in no test.')
    expect(coverageSentence(coverage(...all, { urgent: 'yes' }))).toBe(
      'Every condition is in a test: 5 conditions.',
    )
    const ofOne = caseMeta(group('one', [yesno('urgent'), visibleWhen('why', { urgent: 'yes' })]))
    expect(coverageSentence(coverageOf(ofOne, [], {}))).toBe('The one condition is in no test.')
    expect(coverageSentence(coverageOf(caseMeta(), [], {}))).toBe('There is no condition to test.')
  })

  it('says where each of them is', () => {
    expect(coverage().map(({ address, meta }) => `${meta} ${address.join(' ')}`)).toEqual([
      'case_meta one why',
      'case_meta one end',
      'case_meta one family phone',
      'case_meta two',
      'case_meta two other',
    ])
  })
})
