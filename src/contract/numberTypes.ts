import { type DecimalFormat, decimalPattern, readDecimal, writeDecimal } from './decimalFormat.ts'
import type { Field, FieldAttrs } from './generated.ts'
import { MAX_INTEGER } from './limits.ts'
import { normaliseLine } from './normalise.ts'
import { describeScale, pointsOf, wordsAt } from './scale.ts'
import { like, ofText, unchanged } from './textTypes.ts'
import type { TypeFacts } from './typeFacts.ts'

const DEFAULT_PLACES = 2
/** The longest duration, 99:59, in seconds. */
export const MAX_DURATION = (99 * 60 + 59) * 60

const NUMBER = {
  compares: 'amount',
  literal: { type: 'number' },
  calculates: 'number',
  cell: 'text',
  paper: 'shortLine',
  normalise: unchanged,
  compareKey: unchanged,
} as const satisfies Partial<TypeFacts>

export const NUMBER_TYPES = {
  integer: {
    ...NUMBER,
    title: 'Number',
    about: 'A whole number',
    attrs: ['min', 'max', 'default'],
    isWhole: true,
    isPlainNumber: true,
    range: [-MAX_INTEGER - 1, MAX_INTEGER],
    searches: 'number',
    results: ['number', 'amount', 'any'],
    schema: ({ attrs }) => ({
      type: 'integer',
      minimum: attrs?.min ?? -MAX_INTEGER - 1,
      maximum: attrs?.max ?? MAX_INTEGER,
    }),
    example: 12,
    cell: 'number',
    sheet: { kind: 'whole', takes: 'A whole number' },
  },
  scale: {
    ...NUMBER,
    title: 'Scale',
    about: 'A row of numbers with words at both ends',
    attrs: ['min', 'max', 'min_text', 'max_text', 'default'],
    isWhole: true,
    isPlainNumber: true,
    points: pointsOf,
    searchesAs: 'integer',
    schema: ({ attrs }) => ({ enum: pointsOf(attrs), mustBe: `a number from ${describeScale(attrs)}` }),
    example: 7,
    words: (value, { attrs }) => {
      const words = wordsAt(attrs, value as number)
      return words && `${value} (${words})`
    },
    takesInWords: (attrs) => `Scale from ${describeScale(attrs)}`,
    sheet: { kind: 'point' },
    paper: 'points',
    controls: 'radios',
  },
  duration: {
    ...NUMBER,
    title: 'Time taken',
    about: 'Hours and minutes',
    isWhole: true,
    countsSeconds: true,
    literal: { type: 'number', written: 'in seconds' },
    results: ['number', 'amount', 'any'],
    schema: () => ({ type: 'integer', minimum: 0, maximum: MAX_DURATION }),
    example: 5400,
    words: hoursInWords,
    cell: 'hours',
    sheet: { kind: 'hours', takes: 'Hours and minutes, for example 01:30', format: '[h]:mm' },
    paper: {
      digits: [
        ['Hours', 2],
        ['Minutes', 2],
      ],
    },
    hint: 'Hours and minutes, for example 01:30',
    presets: 'durations',
  },
  decimal: {
    ...NUMBER,
    ...storedAsText((attrs) => ({ places: attrs?.places ?? DEFAULT_PLACES, unit: attrs?.unit }), 'a number'),
    title: 'Decimal number',
    about: 'With a point, such as a weight or a percentage',
    attrs: ['places', 'unit', 'min', 'max', 'default'],
    sheet: { kind: 'decimal', takes: 'A number, for example 12.50' },
  },
  money: {
    ...NUMBER,
    ...storedAsText((attrs) => ({ places: DEFAULT_PLACES, currency: attrs?.currency ?? 'GBP' }), 'an amount'),
    title: 'Money',
    about: 'An amount in pounds or another currency',
    attrs: ['currency', 'min', 'max', 'default'],
    sheet: { kind: 'decimal', takes: 'An amount, for example 12.50' },
  },
  year: {
    ...NUMBER,
    title: 'Year',
    about: 'Four digits',
    attrs: ['min', 'max', 'default'],
    isWhole: true,
    isPlainNumber: true,
    range: [1000, 9999],
    hasNoCommas: true,
    schema: ({ attrs }) => ({
      type: 'integer',
      minimum: Math.max(1000, attrs?.min ?? 1000),
      maximum: Math.min(9999, attrs?.max ?? 9999),
      mustBe: 'a year such as 2026',
    }),
    example: 2026,
    sheet: { kind: 'year', takes: 'A year of four digits' },
    paper: { digits: [['Year', 4]] },
  },
} satisfies Record<string, TypeFacts>

/** What both types of decimal number have in common; a message calls them `what`. */
function storedAsText(decimal: (attrs?: FieldAttrs) => DecimalFormat, what: string) {
  return {
    decimal,
    isPlainNumber: true,
    range: [-1e15, 1e15],
    results: ['number', 'amount', 'any'],
    schema: ({ attrs }: Field) => {
      const { places } = decimal(attrs)
      return {
        ...like(decimalPattern(places))(),
        ...(attrs?.min !== undefined && { least: attrs.min }),
        ...(attrs?.max !== undefined && { most: attrs.max }),
        mustBe: `${what} such as ${(12.5).toFixed(places)}`,
      }
    },
    example: '1234.50',
    normalise: ofText((text, { attrs }) => readDecimal(normaliseLine(text), decimal(attrs)) ?? ''),
    // Compared by its amount, also where its field has got more decimal places since.
    compareKey: ofText((text) => (Number.isNaN(Number(text)) ? text : String(Number(text)))),
    words: (value: unknown, { attrs }: Field) => writeDecimal(value, decimal(attrs)),
  } as const satisfies Partial<TypeFacts>
}

function hoursInWords(value: unknown): string | undefined {
  const minutes = Math.round(Number(value) / 60)
  if (Number.isNaN(minutes)) return undefined
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}
