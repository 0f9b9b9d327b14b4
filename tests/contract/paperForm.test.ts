import { describe, expect, it } from 'vitest'
import type { Field, Group } from '../../src/contract/generated.ts'
import { type PaperQuestion, paperForm } from '../../src/contract/meta/paperForm.ts'
import { numberQuestions } from '../../src/contract/meta/questionNumbers.ts'
import { choice, demoMetas, field, group, hostileMetas, repeat, visibleWhen, yesno } from './metaBuilders.ts'

const questions = (...fields: Field[]) => paperForm([group('one', fields)])[0].questions
const wordsOf = ({ number, only, jump }: PaperQuestion) => [number, only, jump]

describe('a form on paper', () => {
  it('says in words where to go on', () => {
    expect(
      questions(
        yesno('urgent'),
        visibleWhen('why', { urgent: 'yes' }),
        choice('setting', ['ward', 'home', 'tent']),
        visibleWhen('address', { setting: { not: ['ward', 'home'] } }),
        field('age', 'integer'),
        visibleWhen('school', { age: { max: 17 }, urgent: 'yes' }),
      ).map(wordsOf),
    ).toEqual([
      ['1', '', 'If Yes, go on. Otherwise go to 3.'],
      ['2', '', ''],
      ['3', '', 'If Ward or Home, go to 5. Otherwise go on.'],
      ['4', '', ''],
      ['5', '', ''],
      ['6', 'Answer 6 only if the answer to 5 is at most 17 and you answered Yes to 1.', ''],
    ])
  })

  it('says at a part who answers it, and where others go on', () => {
    const care = { when: { care: 'yes' } }
    const parts = paperForm([
      group('one', [yesno('care')]),
      group('two', [field('plan')], care),
      group('three', [field('end')], care),
    ])
    expect(parts.map(({ number, only }) => [number, only])).toEqual([
      ['A', ''],
      ['B', 'Answer part B only if you answered Yes to 1. Otherwise go to part C.'],
      ['C', 'Answer part C only if you answered Yes to 1. Otherwise go to the end of the form.'],
    ])
  })

  it('leaves out what staff do not see, and says of notes when they count', () => {
    const note = { ...field('note', 'note', { when: { b: 'no' }, text: 'Call.' }) }
    const hidden = field('score', 'integer', { hidden: true })
    expect(
      questions(field('a', 'text', { is_on: false }), hidden, yesno('b'), field('c'), note).map(wordsOf),
    ).toEqual([
      ['1', '', ''],
      ['2', '', ''],
      ['', 'Only if you answered No to 1:', ''],
    ])
  })

  it('marks what need not be answered, and has the columns of a table with their conditions', () => {
    const columns = [yesno('alive', { required: true }), visibleWhen('phone', { alive: 'yes' })]
    const [family, why] = questions(
      repeat('family', columns),
      field('why', 'text', { required_when: { family: { set: true } } }),
    )
    expect(family.isOptional).toBe(true)
    expect(family.columns.map(wordsOf)).toEqual([
      ['1a', '', ''],
      ['1b', 'Answer 1b only if you answered Yes to 1a.', ''],
    ])
    expect([why.isOptional, why.needed]).toEqual([false, 'Needed only if you answered 1.'])
  })

  it('is a table where the questions of a group have the same choices', () => {
    const rows = [choice('eat', ['well', 'badly']), choice('sleep', ['well', 'badly'])]
    expect(paperForm([group('one', rows, { layout: 'matrix' })])[0].isMatrix).toBe(true)
  })

  it('has what is needed to work out a score by hand', () => {
    const weighed = (name: string, weights: number[]) =>
      field(name, 'select', {
        options: weights.map((weight) => ({ value: weight, label: `${weight}`, weight })),
      })
    const score = (name: string, of: string[], attrs = {}) =>
      field(name, 'integer', { calc: 'score', of, ...attrs })
    const [form] = [
      questions(
        weighed('sleep', [0, 3]),
        weighed('mood', [1, 2]),
        weighed('other', [1, 2]),
        score('risk', ['sleep', 'mood', 'days.pain']),
        repeat('days', [weighed('pain', [1, 2]), weighed('food', [1, 2]), score('day', ['food'])]),
        field('double', 'integer', { calc: 'multiply', of: ['risk', 2] }),
        score('secret', ['other'], { hidden: true }),
        field('age', 'integer', { calc: 'days_between', of: ['born', '$today'] }),
      ),
    ]
    const days = form.find(({ columns }) => columns.length > 0)!
    expect([...form, ...days.columns].filter((one) => one.isWeighed).map((one) => one.field.name)).toEqual([
      'sleep',
      'mood',
      'pain',
      'food',
    ])
    expect([...form, ...days.columns].map((one) => one.workedOut).filter(Boolean)).toEqual([
      'Add up the numbers in brackets beside your answers to 1, 2 and 5a',
      'Work out the answer to 4 × 2',
      'Add up the numbers in brackets beside your answers to 5b',
    ])
  })

  it('is made of the worst forms, and names no question that is not there', () => {
    for (const { case_meta } of hostileMetas()) expect(() => paperForm(case_meta)).not.toThrow()
    for (const metas of demoMetas())
      for (const groups of [metas.case_meta, metas.issue_meta]) expectNumbered(groups)
  })
})

function expectNumbered(groups: Group[]) {
  const parts = paperForm(groups)
  const all = parts.flatMap((part) => part.questions)
  const there = new Set(
    [...parts, ...all, ...all.flatMap(({ columns }) => columns)].map(({ number }) => number),
  )
  const named = [...parts, ...all]
    .flatMap((one) => [one.only, 'jump' in one ? one.jump : ''])
    .flatMap((words) => [...words.matchAll(/go to (?:part )?(\w+)/g)].map(([, target]) => target))
  expect(named.filter((number) => number !== 'the' && !there.has(number))).toEqual([])
}

it.each([
  [26, 'Z', '1z'],
  [27, 'AA', '1aa'],
  [52, 'AZ', '1az'],
  [53, 'BA', '1ba'],
])('of %i groups and columns the last are %s and %s', (count, ofGroup, ofColumn) => {
  const columns = Array.from({ length: count }, (_, i) => field(`c${i}`))
  const inner = repeat('inner', [field('last')])
  const lines = repeat('lines', [...columns, inner])
  const groups = Array.from({ length: count }, (_, i) => group(`g${i}`, i === 0 ? [lines] : [field('f')]))
  const numbers = numberQuestions(groups)
  expect([numbers.get(groups.at(-1)!), numbers.get(columns.at(-1)!)]).toEqual([ofGroup, ofColumn])
  expect(numbers.get(inner.fields![0])).toBe(`${numbers.get(inner)}1`)
})
