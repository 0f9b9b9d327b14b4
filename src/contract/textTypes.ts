import { ruleFor } from './codes.ts'
import { codeKey, phoneKey, textKey } from './compareKey.ts'
import type { Field } from './generated.ts'
import { normaliseLine, normaliseLong, normalisePhone, normalisePostcode } from './normalise.ts'
import type { Form, TypeFacts } from './typeFacts.ts'

/** At least five digits; then perhaps an extension or words: '01632 960001 ext 5', '07700 900 123 (after 6pm)'. */
export const PHONE = '^(?=([^0-9]*[0-9]){5})\\+?[0-9()][0-9 ()./-]{4,24}([ ,;(#]*\\p{L}.*|[ ,;]*#[ 0-9]+)?$'
export const MAX_PHONE_LENGTH = 100
const POSTCODE = '^[A-Za-z]{1,2}[0-9][A-Za-z0-9]? ?[0-9][A-Za-z]{2}$'

export const unchanged: Form = (value) => value
/** Makes a `Form` that leaves values other than texts as they are. */
export const ofText =
  (form: (text: string, field: Field) => string): Form =>
  (value, field) =>
    typeof value === 'string' ? form(value, field) : value
export const like = (pattern: string) => () => ({ type: 'string', pattern })

const text = (maxLength: number) => (field: Field) => ({
  type: 'string',
  maxLength: field.attrs?.max_length ?? maxLength,
})

const LINE = {
  compares: 'text',
  literal: { type: 'string' },
  calculates: 'text',
  results: ['any'],
  cell: 'text',
  sheet: { kind: 'text', format: '@' },
  paper: 'shortLine',
  normalise: ofText(normaliseLine),
  compareKey: ofText(textKey),
} as const satisfies Partial<TypeFacts>

/** Texts that people write freely. */
export const TEXT_TYPES = {
  text: {
    ...LINE,
    title: 'Text',
    about: 'One line',
    attrs: ['max_length', 'rules', 'pattern', 'default'],
    rules: ['nhs_number', 'email', 'url', 'letters', 'digits', 'uk_vehicle', 'national_insurance'],
    schema: text(500),
    longest: 500,
    normalise: ofText((line, { attrs }) => (ruleFor(attrs?.rules, 'normalise') ?? normaliseLine)(line)),
    compareKey: ofText((line, { attrs }) => (ruleFor(attrs?.rules, 'compareKey') ?? textKey)(line)),
    results: ['text', 'any'],
    example: 'Some text',
    paper: 'line',
  },
  textarea: {
    ...LINE,
    title: 'Long text',
    about: 'Several lines',
    attrs: ['max_length', 'max_words', 'default'],
    isMultiline: true,
    isUnsorted: true,
    compares: undefined,
    searches: 'text',
    schema: text(20000),
    longest: 20000,
    normalise: ofText(normaliseLong),
    results: ['text', 'any'],
    example: 'Several\nlines',
    paper: 'lines',
  },
} satisfies Record<string, TypeFacts>

/** Texts with a fixed format. */
export const CODE_TYPES = {
  phone: {
    ...LINE,
    title: 'Telephone',
    about: 'One number',
    isPhone: true,
    schema: () => ({ ...like(PHONE)(), maxLength: MAX_PHONE_LENGTH }),
    normalise: ofText(normalisePhone),
    compareKey: ofText(phoneKey),
    example: '020 7946 0000',
    sheet: { kind: 'phone', format: '@' },
  },
  postcode: {
    ...LINE,
    title: 'Postcode',
    about: 'A UK postcode',
    isCode: true,
    schema: like(POSTCODE),
    normalise: ofText(normalisePostcode),
    compareKey: ofText(codeKey),
    example: 'SW1A 1AA',
  },
} satisfies Record<string, TypeFacts>
