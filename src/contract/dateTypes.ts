import { dayInWords, monthInWords } from './days.ts'
import { normaliseDateTime, normaliseLine, normaliseTime } from './normalise.ts'
import { like, ofText, unchanged } from './textTypes.ts'
import type { TypeFacts } from './typeFacts.ts'

const DATE_LIMITS = { earliest: '1900-01-01', yearsAhead: 100 }
const DATE_RULES = ['not_future', 'date_of_birth', 'after']
const DAY: [string, number][] = [
  ['Day', 2],
  ['Month', 2],
  ['Year', 4],
]
const CLOCK: [string, number][] = [
  ['Hour', 2],
  ['Minute', 2],
]

/** Facts of the date types whose pattern allows one spelling only. */
const SPELT = {
  literal: { type: 'string' },
  normalise: ofText(normaliseLine),
  compareKey: unchanged,
} as const satisfies Partial<TypeFacts>

export const DATE_TYPES = {
  date: {
    ...SPELT,
    title: 'Date',
    about: 'A day',
    attrs: ['rules', 'default'],
    rules: DATE_RULES,
    calendar: 'day',
    compares: 'amount',
    literal: { type: 'string', input: 'date' },
    calculates: 'date',
    results: ['date', 'amount', 'any'],
    schema: () => ({ type: 'string', format: 'date', ...DATE_LIMITS }),
    example: '2026-06-04',
    words: (value) => dayInWords(String(value)),
    cell: 'date',
    sheet: { kind: 'day', takes: 'A date, for example 4/6/2026', format: 'dd/mm/yyyy' },
    paper: { digits: DAY },
    presets: 'days',
  },
  datetime: {
    ...SPELT,
    title: 'Date and time',
    about: 'A day and an hour',
    attrs: ['rules'],
    rules: DATE_RULES,
    calendar: 'moment',
    searches: 'amount',
    searchesAs: 'date',
    schema: () => ({ type: 'string', format: 'date-time', ...DATE_LIMITS }),
    normalise: ofText(normaliseDateTime),
    example: '2026-06-04T09:42:00Z',
    cell: 'datetime',
    sheet: {
      kind: 'moment',
      takes: 'A date and time, for example 4/6/2026 14:30',
      format: 'dd/mm/yyyy hh:mm',
    },
    paper: { digits: [...DAY, ...CLOCK] },
  },
} satisfies Record<string, TypeFacts>

export const PERIOD_TYPES = {
  month: {
    ...SPELT,
    title: 'Month',
    about: 'A month of a year',
    calendar: 'month',
    compares: 'amount',
    literal: { type: 'string', written: 'as 2026-06' },
    schema: () => ({
      ...like('^[1-9][0-9]{3}-(0[1-9]|1[0-2])$')(),
      mustBe: 'a month and a year such as June 2026',
      ...DATE_LIMITS,
    }),
    example: '2026-06',
    words: (value) => monthInWords(String(value)),
    cell: 'date',
    sheet: {
      kind: 'month',
      takes: 'A month and its year, for example June 2026 or 2026-06',
      format: 'mmmm yyyy',
    },
    paper: { digits: DAY.slice(1) },
    controls: 'set',
  },
  time: {
    ...SPELT,
    title: 'Time of day',
    about: 'Hours and minutes of the clock',
    compares: 'amount',
    literal: { type: 'string', input: 'time' },
    schema: () => ({ ...like('^([01][0-9]|2[0-3]):[0-5][0-9]$')(), mustBe: 'a time of day such as 14:30' }),
    normalise: ofText(normaliseTime),
    example: '14:30',
    cell: 'text',
    sheet: { kind: 'clock', takes: 'A time of day, for example 14:30', format: 'hh:mm' },
    paper: { digits: CLOCK },
    hint: 'For example 14:30 or 2:30 pm',
  },
} satisfies Record<string, TypeFacts>
