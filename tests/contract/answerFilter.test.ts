import { describe, expect, it } from 'vitest'
import {
  type AnswerCondition,
  type AnswerOperator,
  conditionError,
  OPERATORS,
  readAnswers,
  searchedFields,
  searchedLabel,
  writeAnswers,
} from '../../src/contract/answerFilter.ts'
import { FIELD_TYPES } from '../../src/contract/fieldTypes.ts'
import type { FieldType } from '../../src/contract/generated.ts'
import { savedViewErrors, unshareable } from '../../src/contract/savedView.ts'
import { ajvValidate } from '../../src/server/core/ajvValidate.ts'
import { seeded } from '../../src/server/ops/demo/random.ts'
import { contract } from '../loadedContract.ts'
import { choice, field, group } from './metaBuilders.ts'

const random = seeded(7)
const LETTERS = [...'ab .*~-+%_&=#/?;,\\"\'\n\t', 'é', 'ß', '語', '😀', '\u0000', '~.', '~*']
const text = () => Array.from({ length: random.between(1, 12) }, () => random.pick(LETTERS)).join('')

function conditionMade(): AnswerCondition {
  const operator = random.pick<AnswerOperator>(['is', 'contains', 'between', 'set', 'unset'])
  const values = {
    is: () => Array.from({ length: random.between(1, 4) }, () => `${text()}x`),
    contains: () => [`x${text()}`],
    between: () =>
      random.chance(0.3) ? ['', `${text()}1`] : [`1${text()}`, random.chance(0.3) ? '' : text()],
    set: () => [],
    unset: () => [],
  }[operator]()
  return {
    caseType: random.between(1, 999_999_999),
    form: random.pick(['case', 'issue']),
    field: random.pick(['a', 'date_received', 'x9_']),
    operator,
    values,
  }
}

describe('a filter by answers', () => {
  it('is read as it was written, whatever its values hold', () => {
    for (let round = 0; round < 2000; round++) {
      const conditions = Array.from({ length: random.between(1, 5) }, conditionMade)
      const written = writeAnswers(conditions)
      expect(readAnswers(written), written).toEqual(conditions)
      const inAddress = new URLSearchParams({ answers: written }).toString()
      expect(new URLSearchParams(inAddress).get('answers')).toBe(written)
    }
  })

  it('reads well in an address', () => {
    const written = writeAnswers([
      { caseType: 5, form: 'issue', field: 'organisation', operator: 'contains', values: ['St. Mary'] },
      { caseType: 5, form: 'case', field: 'date_received', operator: 'between', values: ['2026-01-01', ''] },
      { caseType: 5, form: 'case', field: 'client_setting', operator: 'is', values: ['3', '4'] },
    ])
    expect(written).toBe(
      '5.issue.organisation.contains.St~. Mary*5.case.date_received.between.2026-01-01.*5.case.client_setting.is.3.4',
    )
  })

  it.each([
    ['', /case type/],
    ['x.case.a.set', /case type/],
    ['0.case.a.set', /case type/],
    ['1e3.case.a.set', /case type/],
    ['9999999999.case.a.set', /case type/],
    ['1.client.a.set', /form/],
    ['1.case.A.set', /field/],
    ['1.case.a;drop table cases.set', /field/],
    ['1.case', /field/],
    ['1.case.a', /compare/],
    ['1.case.a.like.x', /compare/],
    ['1.case.a.constructor.x', /compare/],
    ['1.case.a.set.x', /'set'/],
    ['1.case.a.is', /'is'/],
    ['1.case.a.is.', /'is'/],
    ['1.case.a.is.x. ', /'is'/],
    ['1.case.a.contains.x.y', /'contains'/],
    ['1.case.a.between.1', /'between'/],
    ['1.case.a.between..', /'between'/],
    ['1.case.a.set*', /case type/],
    [`1.case.a.contains.${'x'.repeat(201)}`, /200 characters/],
    [`1.case.a.is${'.x'.repeat(51)}`, /'is'/],
    [Array(21).fill('1.case.a.set').join('*'), /20 conditions/],
    ['1.case.a.contains.x'.repeat(400), /4000 characters/],
  ])('is refused in words: %j', (written, words) => {
    expect(readAnswers(written)).toMatch(words)
    expect(readAnswers(written)).toMatch(/^must \w+ /)
  })

  it.each([
    ['two hundred characters', `1.case.a.contains.${'x'.repeat(200)}`],
    ['fifty values', `1.case.a.is${'.x'.repeat(50)}`],
    ['twenty conditions', Array(20).fill('1.case.a.set').join('*')],
    ['four thousand characters', `1.case.a.is${`.${'x'.repeat(78)}`.repeat(50)}${'x'.repeat(39)}`],
  ])('may have %s', (_, written) => {
    expect(String(readAnswers(written))).not.toMatch(/ at most /)
  })

  it('never throws, and what it takes it writes again', () => {
    const pieces = ['1', '.', '*', '~', 'case', 'issue', 'a', 'is', 'between', 'set', 'x', '', '😀', '-']
    for (let round = 0; round < 5000; round++) {
      const written = Array.from({ length: random.between(1, 12) }, () => random.pick(pieces)).join(
        random.chance(0.5) ? '.' : '',
      )
      const read = readAnswers(written)
      if (typeof read !== 'string') expect(readAnswers(writeAnswers(read))).toEqual(read)
    }
  })
})

describe('the fields that are searched', () => {
  const meta = [
    group('used', [
      field('words', 'text', { report: true }),
      field('secret', 'text', { report: true, sensitive: true }),
      field('private', 'text'),
      field('off', 'text', { report: true, is_on: false }),
    ]),
    group('unused', [field('away', 'text', { report: true })], { is_on: false }),
  ]
  it('are offered in reports and not sensitive, and marked where they are switched off', () => {
    const found = searchedFields({ case_meta: meta, issue_meta: meta })
    expect(found.map((one) => [one.form, searchedLabel(one), one.isOff])).toEqual(
      (['case', 'issue'] as const).flatMap((form) => [
        [form, 'Words', undefined],
        [form, 'Off (switched off)', true],
        [form, 'Away (switched off)', true],
      ]),
    )
  })

  it('have an operator of every type, and refuse those of others', () => {
    for (const type of Object.keys(FIELD_TYPES) as FieldType[]) {
      const searched = { form: 'case' as const, group: 'g', field: { name: 'a', label: 'A', type } }
      for (const operator of ['is', 'contains', 'between', 'set', 'unset'] as const) {
        const values = { is: ['1'], contains: ['x'], between: ['', ''], set: [], unset: [] }[operator]
        const error = conditionError(
          searched,
          { caseType: 1, form: 'case', field: 'a', operator, values },
          ajvValidate,
        )
        if (!OPERATORS[type].includes(operator))
          expect(error, `${type} ${operator}`).toMatch(/cannot be searched/)
      }
    }
  })

  it.each([
    [field('a', 'date'), 'between', ['2026-02-30', ''], /date/],
    [field('a', 'date'), 'between', ['2026-02-02', '2026-02-01'], /begin after/],
    [field('a', 'date'), 'between', ['2026-02-01', '2026-02-01'], undefined],
    [field('a', 'datetime'), 'between', ['2026-02-01', ''], undefined],
    [field('a', 'integer', { min: 1, max: 5 }), 'between', ['-3', '90'], undefined],
    [field('a', 'integer'), 'between', ['9', '10'], undefined],
    [field('a', 'integer'), 'is', ['x'], /whole number/],
    [field('a', 'duration'), 'between', ['-1', ''], /A/],
    [field('a', 'yesno'), 'is', ['maybe'], /A/],
    [choice('a', ['x', 'y']), 'is', ['x', 'z'], /A/],
    [choice('a', ['x', 'y'], {}, 'multiselect'), 'is', ['x', 'y'], undefined],
    [field('a', 'select', { lookup: 'hub' }), 'is', ['x'], /A/],
  ] as const)('are compared with what they can be: %j %s %j', (one, operator, values, words) => {
    const searched = { form: 'case' as const, group: 'g', field: { ...one, label: 'A' } }
    const condition = { caseType: 1, form: 'case' as const, field: 'a', operator, values: [...values] }
    const error = conditionError(searched, condition, ajvValidate)
    if (words) expect(error).toMatch(words)
    else expect(error).toBeUndefined()
  })
})

describe('a saved view of answers', () => {
  const view = (answers: string, shared?: string) =>
    savedViewErrors(contract, [4], { screen: 'search-cases', query: { answers }, shared })
  it('may be shared with choices and days in it, not with words that somebody typed', () => {
    expect(view('1.case.priority.is.x*1.case.date_received.between.2026-01-01.', 'team')).toEqual({})
    expect(view('1.issue.organisation.contains.x', 'team')).toEqual({
      shared: ['A view filtered by Answers cannot be shared: it says something of one person'],
    })
    expect(view('1.issue.organisation.contains.x')).toEqual({})
    expect(unshareable({ answers: contract.query.caseSearch.answers }, { answers: 'nonsense' })).toEqual([
      'Answers',
    ])
  })
  it('is refused where it can never be read', () => {
    expect(view('nonsense')).toEqual({ query: ['Answers must begin with the number of a case type'] })
  })
})
