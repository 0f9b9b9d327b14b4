import { decimalFormatOf } from '../../../contract/decimal.ts'
import { FIELD_TYPES, offeredOptions } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { pointsOf } from '../../../contract/scale.ts'
import { holds, isSet, type Values } from '../../../contract/when.ts'
import type { About } from './answers.ts'
import type { DemoContext } from './context.ts'
import { dateAnswer, timeAnswer } from './dateAnswer.ts'
import { email, fullName, landline, mobile, postcode } from './people.ts'

export interface AnswerContext extends About {
  answers: Values
  context: DemoContext
}
type Make = (field: Field, answerContext: AnswerContext) => unknown

/** Answers that are more lifelike than the example of their type. */
const MAKE: Partial<Record<Field['type'], Make>> = {
  text: (field, answerContext) =>
    namesPerson(field.name) ? fullName(answerContext.context) : phrase(field, answerContext),
  textarea: (field, answerContext) => phrase(field, answerContext),
  date: dateAnswer,
  datetime: timeAnswer,
  integer: ({ attrs }, { context: { random } }) =>
    typeof attrs?.default === 'number' && random.chance(0.6)
      ? attrs.default
      : random.between(attrs?.min ?? 0, Math.min(attrs?.max ?? 10, (attrs?.min ?? 0) + 10)),
  scale: ({ attrs }, { context: { random } }) => random.pick(pointsOf(attrs)),
  yesno: (field, answerContext) => {
    const answer = yesNo(field.name, answerContext)
    return offeredOptions(field).some(({ value }) => value === answer) ? answer : 'no'
  },
  select: (field, answerContext) => answerContext.context.random.likely(choices(field, answerContext)),
  multiselect: (field, answerContext) => several(field, answerContext),
  contact: (_, answerContext) => contact(answerContext.context),
  phone: (_, { context: { random } }) => (random.chance(0.5) ? mobile(random) : landline(random)),
  postcode: (_, { context: { random, words } }) => postcode(random, random.pick(words.places).postcode),
  duration: (_, { context: { random } }) => random.between(1, 24) * 300,
  decimal: decimalAnswer,
  money: decimalAnswer,
  repeat: (field, answerContext) => rows(field, answerContext),
}

// Probabilities of yes; 0.5 for other fields.
const YES: Record<string, number> = {
  is_urgent: 0.15,
  eligible: 0.95,
  qualifies: 0.95,
  lacks_capacity: 0.88,
  risk_known: 0.15,
  sfg_concern: 0.1,
  concern_raised: 0.2,
  emergency: 0.05,
  patient_died: 0.4,
  out_of_area: 0.15,
  decision_made: 0.05,
  waiting_for_papers: 0.05,
}
const DECIDED = 0.9
const UNKNOWN = 0.06
const ALONE = /^(none|nobody|not known)/i

/** A value for a visible field, valid by its type, limits and rules; undefined if there are no choices. */
export function fieldAnswer(field: Field, answerContext: AnswerContext): unknown {
  if (field.attrs?.pattern) return field.attrs.pattern.example
  const make = MAKE[field.type]
  return make ? make(field, answerContext) : FIELD_TYPES[field.type].example
}

function decimalAnswer(field: Field, { context: { random } }: AnswerContext): string {
  const { min = 0, max = 1000 } = field.attrs ?? {}
  return random.between(Math.ceil(min), Math.floor(max)).toFixed(decimalFormatOf(field)!.places)
}

function yesNo(name: string, { closed, context: { random } }: AnswerContext): string {
  const often = closed && name === 'decision_made' ? DECIDED : (YES[name] ?? 0.5)
  if (random.chance(often)) return 'yes'
  return random.chance(name in YES ? 0 : UNKNOWN) ? 'not_known' : 'no'
}

function phrase({ name, type, attrs }: Field, { context, case: { case_type } }: AnswerContext): string {
  const { phrases, random } = context
  const list = phrases[`${name}:${case_type}`] ?? phrases[name] ?? phrases[type]
  return random.pick(list).slice(0, attrs?.max_length)
}

function namesPerson(name: string): boolean {
  return /(^|_)name$|_by$|assessor$/.test(name) && name !== 'place_name'
}

interface Choice {
  value: unknown
  label: string
  exclusive?: boolean
}

function offered({ attrs }: Field, answerContext: AnswerContext): Choice[] {
  if (attrs?.options) return attrs.options.filter((option) => option.active !== false)
  const { lookups } = answerContext.context
  const by = Object.entries(attrs?.lookup_params ?? {}).map(([key, value]) => [
    key,
    resolveParam(value, answerContext),
  ])
  const params = Object.fromEntries(by.filter(([, value]) => isSet(value)))
  const fitting = lookups(attrs?.lookup ?? '', params)
  return fitting.length > 0 || !attrs?.required ? fitting : lookups(attrs?.lookup ?? '')
}

export function choices(field: Field, answerContext: AnswerContext): unknown[] {
  return offered(field, answerContext).map(({ value }) => value)
}

function several(field: Field, answerContext: AnswerContext): unknown[] {
  const picked = answerContext.context.random.some(offered(field, answerContext), 3)
  const alone = picked.find(({ label, exclusive }) => exclusive || ALONE.test(label))
  return (alone ? [alone] : picked).map(({ value }) => value)
}

/** Resolves a parameter: '$case.x' and '$client.x' are columns, '$x' is an answer, other values are literal. */
function resolveParam(value: unknown, answerContext: AnswerContext): unknown {
  if (typeof value !== 'string' || !value.startsWith('$')) return value
  const [head, name] = value.slice(1).split('.')
  if (name === undefined) return answerContext.answers[head]
  return head === 'case' || head === 'client' ? answerContext[head][name] : undefined
}

function contact(context: DemoContext): Values {
  const { random, words } = context
  const name = fullName(context)
  return {
    name,
    role: random.pick(words.jobs),
    organisation: random.pick(words.organisations),
    phone: random.chance(0.3) ? mobile(random) : landline(random),
    ...(random.chance(0.6) ? { email: email(name) } : {}),
  }
}

function rows({ fields = [], attrs }: Field, answerContext: AnswerContext): Values[] {
  const { random } = answerContext.context
  const least = Math.max(1, attrs?.min ?? 1)
  const count = random.between(least, Math.min(least + 1, attrs?.max ?? least + 1))
  return Array.from({ length: count }, (_, i) => {
    const row: Values = { row: `r${i + 1}` }
    for (const column of fields) {
      const inRow = { ...answerContext, answers: { ...answerContext.answers, ...row } }
      if (column.attrs?.is_on === false || !holds(column.attrs?.when, inRow)) continue
      if (column.attrs?.required !== true && random.chance(0.3)) continue
      const value = fieldAnswer(column, inRow)
      if (isSet(value)) row[column.name] = value
    }
    return row
  })
}
