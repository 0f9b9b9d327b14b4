import { FIELD_TYPES } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/types.ts'
import { holds, isSet, type Values } from '../../contract/when.ts'
import type { About } from './answers.ts'
import { dateAnswer, timeAnswer } from './dateAnswer.ts'
import { email, fullName, landline, mobile, postcode } from './people.ts'
import type { World } from './world.ts'

export interface Asked extends About {
  answers: Values
  world: World
}
type Make = (field: Field, asked: Asked) => unknown

const MAKE: Partial<Record<Field['type'], Make>> = {
  text: (field, asked) => (namesPerson(field.name) ? fullName(asked.world) : phrase(field, asked)),
  textarea: (field, asked) => phrase(field, asked),
  date: dateAnswer,
  datetime: timeAnswer,
  integer: ({ attrs }, { world: { random } }) =>
    typeof attrs?.default === 'number' && random.chance(0.6)
      ? attrs.default
      : random.between(attrs?.min ?? 0, Math.min(attrs?.max ?? 10, (attrs?.min ?? 0) + 10)),
  yesno: (field, asked) => yesNo(field.name, asked),
  select: (field, asked) => asked.world.random.likely(choices(field, asked)),
  multiselect: (field, asked) => several(field, asked),
  contact: (_, asked) => contact(asked.world),
  phone: (_, { world: { random } }) => (random.chance(0.5) ? mobile(random) : landline(random)),
  postcode: (_, { world: { random, words } }) => postcode(random, random.pick(words.places).postcode),
  duration: (_, { world: { random } }) => random.between(1, 24) * 300,
  file: () => undefined,
  repeat: (field, asked) => rows(field, asked),
}

// How often yes; half and half where nothing is said.
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
}
const DECIDED = 0.9
const UNKNOWN = 0.06
const ALONE = /^(none|nobody|not known)/i

/** A value for a field that is shown, valid by its type, limits and rules; undefined where there is nothing to choose from. */
export function fieldAnswer(field: Field, asked: Asked): unknown {
  const make = MAKE[field.type]
  return make ? make(field, asked) : FIELD_TYPES[field.type].example
}

function yesNo(name: string, { closed, world: { random } }: Asked): string {
  const often = closed && name === 'decision_made' ? DECIDED : (YES[name] ?? 0.5)
  if (random.chance(often)) return 'yes'
  return random.chance(name in YES ? 0 : UNKNOWN) ? 'not_known' : 'no'
}

function phrase({ name, type, attrs }: Field, { world, case: { case_type } }: Asked): string {
  const { phrases, random } = world
  const list = phrases[`${name}:${case_type}`] ?? phrases[name] ?? phrases[type]
  return random.pick(list).slice(0, attrs?.max_length)
}

function namesPerson(name: string): boolean {
  return /(^|_)name$|_by$|assessor$/.test(name) && name !== 'place_name'
}

interface Choice {
  value: unknown
  label: string
}

function offered({ attrs }: Field, asked: Asked): Choice[] {
  if (attrs?.options) return attrs.options.filter((option) => option.active !== false)
  const { lookups } = asked.world
  const by = Object.entries(attrs?.lookup_params ?? {}).map(([key, value]) => [key, meant(value, asked)])
  const given = Object.fromEntries(by.filter(([, value]) => isSet(value)))
  const fitting = lookups(attrs?.lookup ?? '', given)
  return fitting.length > 0 || !attrs?.required ? fitting : lookups(attrs?.lookup ?? '')
}

function choices(field: Field, asked: Asked): unknown[] {
  return offered(field, asked).map(({ value }) => value)
}

function several(field: Field, asked: Asked): unknown[] {
  const picked = asked.world.random.some(offered(field, asked), 3)
  const alone = picked.find(({ label }) => ALONE.test(label))
  return (alone ? [alone] : picked).map(({ value }) => value)
}

/** '$case.x' and '$client.x' are the record's, '$x' is an answer, anything else itself. */
function meant(value: unknown, asked: Asked): unknown {
  if (typeof value !== 'string' || !value.startsWith('$')) return value
  const [head, name] = value.slice(1).split('.')
  if (name === undefined) return asked.answers[head]
  return head === 'case' || head === 'client' ? asked[head][name] : undefined
}

function contact(world: World): Values {
  const { random, words } = world
  const name = fullName(world)
  return {
    name,
    role: random.pick(words.jobs),
    organisation: random.pick(words.organisations),
    phone: random.chance(0.3) ? mobile(random) : landline(random),
    ...(random.chance(0.6) ? { email: email(name) } : {}),
  }
}

function rows({ fields = [], attrs }: Field, asked: Asked): Values[] {
  const { random } = asked.world
  const least = Math.max(1, attrs?.min ?? 1)
  const count = random.between(least, Math.min(least + 1, attrs?.max ?? least + 1))
  return Array.from({ length: count }, (_, i) => {
    const row: Values = { row: `r${i + 1}` }
    for (const column of fields) {
      const inRow = { ...asked, answers: { ...asked.answers, ...row } }
      if (column.attrs?.is_on === false || !holds(column.attrs?.when, inRow)) continue
      if (column.attrs?.required !== true && random.chance(0.3)) continue
      const value = fieldAnswer(column, inRow)
      if (isSet(value)) row[column.name] = value
    }
    return row
  })
}
