import { describe, expect, it } from 'vitest'
import { impactOf, summaryOf } from '../../src/constructor/forms/impact.ts'
import { applyChanges } from '../../src/contract/applyChanges.ts'
import type { Field, FieldAttrs, Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
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

const used = (case_meta: Record<string, number> = {}) => ({
  cases: 132,
  issues: 203,
  case_meta,
  issue_meta: {},
})
const words = (before: Group[], after: Group[], counts = {}) =>
  impactOf(caseMeta(...before), caseMeta(...after), used(counts)).map((one) => one.words)
const ofFields = (before: Field[], after: Field[], counts = {}) =>
  words([group('one', before)], [group('one', after)], counts)
const ward = (attrs: FieldAttrs = {}) => field('ward', 'text', attrs)
const changed = (before: FieldAttrs, after: FieldAttrs, counts: Record<string, number> = { ward: 17 }) =>
  ofFields([yesno('urgent'), ward(before)], [yesno('urgent'), ward(after)], counts)

/** What a stored record holds after it is next saved with these fields. */
const saved = (fields: Field[], stored: Values) =>
  applyChanges({
    groups: [group('one', fields)],
    stored,
    sent: {},
    conditionContext: {},
    validateSchema: () => [],
    today: '2026-01-01',
  }).values

describe('impacts', () => {
  it('are empty for equal forms and for changed labels, helps, defaults and order', () => {
    for (const metas of demoMetas()) expect(impactOf(metas, structuredClone(metas), used())).toEqual([])
    expect(changed({}, { help: 'x', default: 'y' })).toEqual([])
    expect(ofFields([ward(), field('b')], [field('b'), { ...ward(), label: 'Unit' }], { ward: 1 })).toEqual(
      [],
    )
  })

  it('count the answers in unfinished cases too', () => {
    const removed = (answered: number, drafts: number) => {
      const usage = { ...used({ ward: answered }), drafts: { case_meta: { ward: drafts }, issue_meta: {} } }
      const [before, after] = [[ward(), field('b')], [field('b')]].map((fields) =>
        caseMeta(group('one', fields)),
      )
      return impactOf(before, after, usage).map((one) => one.words)
    }
    const end = '; the answers are kept and no longer shown'
    expect(removed(0, 0)).toEqual(["'Ward' is removed; no case has an answer"])
    expect(removed(0, 1)).toEqual([`'Ward' is removed: 1 unfinished case has an answer${end}`])
    expect(removed(17, 2)).toEqual([
      `'Ward' is removed: 17 of 132 cases and 2 unfinished cases have an answer${end}`,
    ])
  })

  it('say that values are calculated otherwise, anew, or become answers', () => {
    const total = (attrs: FieldAttrs) => [field('a', 'integer'), field('total', 'integer', attrs)]
    const [sum, twice] = [
      { calc: 'sum' as const, of: ['a', 1] },
      { calc: 'multiply' as const, of: ['a', 2] },
    ]
    expect(ofFields(total(sum), total(twice), { total: 17 })).toEqual([
      "'Total' is 'A' × 2 now: it is calculated anew for every case",
    ])
    expect(ofFields(total(sum), total({}), { total: 17 })).toEqual([
      "'Total' is asked now and no longer calculated: 17 of 132 cases have an answer, which stays",
    ])
  })

  it('have meta and field; a column names its repeat', () => {
    const before = { case_meta: [], issue_meta: [group('one', [repeat('family', [field('phone')])])] }
    const after = {
      case_meta: [],
      issue_meta: [group('one', [repeat('family', [field('phone'), field('email')])])],
    }
    expect(impactOf(before, after, used())).toEqual([
      { meta: 'issue_meta', field: 'family', words: "'Email' of 'Family' is new" },
    ])
  })

  it('include a field that is switched off; its answer stays', () => {
    expect(changed({}, { is_on: false })).toEqual([
      "'Ward' is switched off: 17 of 132 cases have an answer; the answers are kept and no longer shown",
    ])
    expect(changed({}, { is_on: false }, { ward: 1 })[0]).toContain('1 of 132 cases has an answer')
    expect(changed({}, { is_on: false }, {})).toEqual(["'Ward' is switched off: no case has an answer"])
    expect(saved([ward({ is_on: false })], { ward: 'x' })).toEqual({ ward: 'x' })
  })

  it('include a column that is switched off; its values are kept apart', () => {
    const columns = (is_on: boolean) => [repeat('family', [field('phone', 'text', { is_on }), field('name')])]
    expect(ofFields(columns(true), columns(false), { family: 3 })).toEqual([
      "'Phone' of 'Family' is switched off: 3 of 132 cases have an answer; the answers are kept and no longer shown",
    ])
    const family = [{ row: '1', phone: '1', name: 'Ann' }]
    expect(saved(columns(false), { family })).toEqual({ family: [{ row: '1', name: 'Ann' }] })
  })

  it('include a field that is switched on', () => {
    expect(changed({ is_on: false }, {})).toEqual([
      "'Ward' is switched on: 17 of 132 cases have an answer from before, which is shown again",
    ])
    const when = { urgent: 'yes' }
    expect(changed({ is_on: false, when }, { when })[0]).toContain(
      'answers that its condition hides are kept and no longer shown',
    )
    expect(changed({ is_on: false }, { required: true })[1]).toContain('115 of 132 cases have no answer')
  })

  it('include a group once, by its most answered field', () => {
    const form = (attrs?: Group['attrs']) => [
      group('clinical', [ward(), field('b')], attrs),
      group('x', [yesno('u')]),
    ]
    const counts = { ward: 17, b: 3 }
    expect(words(form(), form({ is_on: false }), counts)).toEqual([
      "The group 'Clinical' is switched off with its 2 fields: 17 of 132 cases have an answer to 'Ward', the most answered; the answers are kept and no longer shown",
    ])
    expect(words(form({ is_on: false }), form(), counts)).toHaveLength(1)
    expect(words(form(), form({ when: { u: 'yes' } }), counts)[0]).toBe(
      "The group 'Clinical' is shown only when 'U' is Yes now: 17 of 132 cases have an answer to 'Ward', the most answered; answers that the new condition hides are kept and no longer shown",
    )
  })

  it('include fields that become required', () => {
    const asked = 'to it, and it is asked for when they are next changed'
    expect(changed({}, { required: true })).toEqual([
      `'Ward' is required now: 115 of 132 cases have no answer ${asked}`,
    ])
    expect(changed({}, { required_when: { urgent: 'yes' } })).toEqual([
      `'Ward' is required now when 'Urgent' is Yes: up to 115 of 132 cases have no answer ${asked}`,
    ])
    expect(changed({}, { required: true }, { ward: 132 })).toEqual([
      "'Ward' is required now: every case has an answer",
    ])
    expect(changed({ required: true }, {})).toEqual(["'Ward' need no longer be answered"])
    expect(changed({ is_on: false }, { is_on: false, required: true })).toEqual([])
  })

  it('include new and removed fields', () => {
    expect(ofFields([], [ward()])).toEqual(["'Ward' is new"])
    expect(ofFields([], [ward({ required: true })])).toEqual([
      "'Ward' is new and required: no case has an answer; it is asked for when they are next changed",
    ])
    expect(ofFields([], [ward({ is_on: false })])).toEqual([
      "'Ward' is new and switched off: nobody is asked yet",
    ])
    expect(ofFields([], [ward()], { ward: 2 })).toEqual([
      "'Ward' is new: 2 of 132 cases have an answer from before",
    ])
    expect(ofFields([ward()], [])).toEqual(["'Ward' is removed; no case has an answer"])
    expect(ofFields([], [repeat('r', [field('c')])])).toEqual(["'R' is new"])
  })

  it('include retired choices of answered fields', () => {
    const form = (...values: string[]) => [choice('setting', values)]
    expect(ofFields(form('home', 'ward'), form('home', '-ward'), { setting: 3 })).toEqual([
      "'Ward' of 'Setting' is retired: it stays on records that have it",
    ])
    expect(ofFields(form('home', 'ward'), form('-home', '-ward'), { setting: 3 })).toEqual([
      "'Home' and 'Ward' of 'Setting' are retired: they stay on records that have them",
    ])
    expect(ofFields(form('home', 'ward'), form('home', '-ward'))).toEqual([])
    expect(ofFields(form('home', '-ward'), form('home', '-ward', 'new'), { setting: 3 })).toEqual([])
  })

  it('include narrower limits, compared with the default limits', () => {
    const tail = '17 of 132 cases have an answer; one that breaks this stays until it is changed'
    expect(changed({}, { max_length: 100 })).toEqual([`'Ward' may have at most 100 characters now: ${tail}`])
    expect(changed({}, { max_length: 1000 })).toEqual([])
    expect(changed({ max_length: 100 }, {})).toEqual([])
    expect(changed({}, { rules: ['nhs_number'] })).toEqual([`'Ward' must be an NHS number now: ${tail}`])
    expect(changed({ rules: ['nhs_number'] }, {})).toEqual([])
    const pattern = { matches: '[A-Z]\\d', example: 'A1' }
    expect(changed({}, { pattern })).toEqual([`'Ward' must be like 'A1' now: ${tail}`])
    expect(changed({ pattern }, { pattern: { ...pattern, example: 'B2' } })).toEqual([])
    const age = (attrs: FieldAttrs) => [field('age', 'integer', attrs)]
    expect(ofFields(age({ min: 1 }), age({ min: 2, max: 1200 }), { age: 17 })).toEqual([
      `'Age' must be at least 2 and must be at most 1,200 now: ${tail}`,
    ])
    const rows = (attrs: FieldAttrs) => [repeat('r', [field('a')], attrs)]
    expect(ofFields(rows({}), rows({ max: 1 }), { r: 17 })).toEqual([
      `'R' may have at most 1 row now: ${tail}`,
    ])
    expect(changed({}, { max_length: 100 }, {})).toEqual([])
  })

  it('include changed conditions of answered fields', () => {
    const when = { urgent: 'yes' }
    expect(changed({}, { when })).toEqual([
      "'Ward' is shown only when 'Urgent' is Yes now: 17 of 132 cases have an answer; answers that the new condition hides are kept and no longer shown",
    ])
    expect(saved([yesno('urgent'), ward({ when })], { urgent: 'no', ward: 'x' })).toEqual({
      urgent: 'no',
      ward: 'x',
    })
    expect(changed({ when }, {})).toEqual(["'Ward' is always shown now"])
    expect(changed({}, { when }, {})).toEqual([])
    const moved = words(
      [group('one', [ward(), yesno('urgent')]), group('two', [], { when })],
      [group('one', [yesno('urgent')]), group('two', [ward()], { when })],
      { ward: 17 },
    )
    expect(moved).toEqual([expect.stringContaining("'Ward' is shown only when 'Urgent' is Yes now")])
  })

  it('use the labels of lookup items', () => {
    const kind = field('kind', 'select', { lookup: 'kinds' })
    const form = (attrs: FieldAttrs, around?: Group['attrs']) => [
      group('one', [kind, ward(attrs), repeat('rows', [field('bed', 'text', attrs)])]),
      group('two', [field('a')], around),
    ]
    const impacts = impactOf(
      caseMeta(...form({})),
      caseMeta(...form({ when: { kind: 14 }, required_when: { kind: [14, 15] } }, { when: { kind: 15 } })),
      used({ ward: 17, rows: 1, a: 3 }),
      (lookup, value) => (value === 14 ? `the ${lookup}` : undefined),
    )
    const starts = impacts.map((one) => one.words.split(/:| now/)[0])
    expect(starts).toEqual([
      "'Ward' is required",
      "'Ward' is shown only when 'Kind' is the kinds",
      "'Bed' of 'Rows' is required",
      "'Bed' of 'Rows' is shown only when 'Kind' is the kinds",
      "The group 'Two' is shown only when 'Kind' is item 15",
    ])
    expect(impacts[0].words).toContain("required now when 'Kind' is one of the kinds or item 15")
  })

  it('include answers that another field hides', () => {
    const form = (is_on: boolean) => [
      yesno('urgent', { is_on }),
      visibleWhen('ward', { urgent: 'yes' }),
      visibleWhen('bed', { ward: { set: true } }),
      repeat('rows', [visibleWhen('column', { urgent: 'yes' }), field('other')]),
      visibleWhen('unanswered', { urgent: 'yes' }),
    ]
    const tail = 'answers that this hides are kept and no longer shown'
    expect(ofFields(form(true), form(false), { urgent: 9, ward: 8, bed: 7, rows: 6 })).toEqual([
      "'Urgent' is switched off: 9 of 132 cases have an answer; the answers are kept and no longer shown",
      `'Ward' depends on 'Urgent', which is switched off: 8 of 132 cases have an answer; ${tail}`,
      `'Bed' depends on 'Urgent', which is switched off: 7 of 132 cases have an answer; ${tail}`,
      `'Column' of 'Rows' depends on 'Urgent', which is switched off: 6 of 132 cases have an answer; ${tail}`,
    ])
    const stored = { urgent: 'yes', ward: 'x', bed: 'y' }
    expect(saved(form(false), stored)).toEqual(stored)
    expect(ofFields(form(true), form(false), { ward: 8 })).toHaveLength(1)
  })

  it('include fields that become sensitive or no longer are', () => {
    expect(changed({}, { sensitive: true })).toEqual([
      "'Ward' is sensitive now: lists and exports leave it out",
    ])
    expect(changed({ sensitive: true }, {})[0]).toContain('no longer sensitive')
  })

  it('do not throw on hostile forms and counts', () => {
    const counts = JSON.parse('{"__proto__": 3, "a": 5, "b": 1000000}')
    const all = [...hostileMetas(), caseMeta()]
    for (const before of all) {
      for (const after of all) {
        for (const one of impactOf(before, after, used(counts))) expect(one.words.length).toBeLessThan(1500)
      }
    }
    expect(ofFields([field('toString')], [field('toString', 'text', { is_on: false })])[0]).toContain(
      'no case',
    )
  })
})

describe('the summary', () => {
  const one = (meta: 'case_meta' | 'issue_meta') => ({ meta, words: 'x' })

  it('counts the records that use the case type and the changes for them', () => {
    expect(summaryOf([], used())).toBe('Used by 132 cases and 203 issues; nothing changes in their forms')
    expect(summaryOf([one('case_meta'), one('case_meta'), one('issue_meta')], used())).toBe(
      'Used by 132 cases and 203 issues; publishing brings 2 changes to cases and 1 change to issues',
    )
    const nobody = { cases: 0, issues: 0, case_meta: {}, issue_meta: {} }
    expect(summaryOf([], nobody)).toBe('Not used by any case yet')
    expect(summaryOf([one('case_meta')], { ...nobody, cases: 1 })).toBe(
      'Used by 1 case and 0 issues; publishing brings 1 change to cases',
    )
  })
})
