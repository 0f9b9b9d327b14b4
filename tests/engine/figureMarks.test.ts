import { expect, it } from 'vitest'
import type { Property } from '../../src/contract/generated.ts'
import {
  type FigureOf,
  type Mark,
  sentenceOf,
  withoutIdleDays,
} from '../../src/engine/kinds/figure/figureMarks.ts'

const duration = (title: string) => ({ title, type: 'integer', fieldType: 'duration' }) as Property
const PROPERTIES = {
  name: { title: 'Name', type: 'string' } as Property,
  date: { title: 'Day', type: 'string', format: 'date' } as Property,
  open_issues: { title: 'Open issues', type: 'integer' } as Property,
  imca: { title: 'IMCA cases', type: 'integer' } as Property,
  cases: duration('Cases'),
  activities: duration('Activities'),
}
const mark = (label: string, ...values: number[]): Mark => ({
  key: label,
  label,
  values,
  sum: values.reduce((sum, value) => sum + value, 0),
  unknown: [],
})

it.each<[string, FigureOf, string]>([
  ['a count', { as: 'bars', of: 'name', values: ['open_issues'] }, 'B has the most open issues: 3 of 4.'],
  ['an abbreviation', { as: 'bars', of: 'name', values: ['imca'] }, 'B has the most IMCA cases: 3 of 4.'],
  [
    'several durations',
    { as: 'bars', of: 'name', values: ['cases', 'activities'] },
    'B has the most time: 3 of 4.',
  ],
  ['days', { as: 'line', of: 'date', values: ['open_issues'] }, 'Most open issues on B: 3 of 4.'],
])('the sentence of a figure says what is counted: %s', (_, figure, sentence) => {
  expect(sentenceOf([mark('A', 1), mark('B', 3)], figure, PROPERTIES, String, undefined)).toBe(sentence)
})

it('draws no line through days on which nothing was done', () => {
  const days = [mark('1', 0, 2), mark('2', 4, 0)]
  expect(withoutIdleDays(days).map(({ values }) => values)).toEqual([
    [undefined, 2],
    [4, undefined],
  ])
})
