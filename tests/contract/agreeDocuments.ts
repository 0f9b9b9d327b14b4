import { FIELD_TYPES } from '../../src/contract/fieldTypes.ts'
import type { Field, Group } from '../../src/contract/generated.ts'
import { isRequired } from '../../src/contract/schema.ts'
import { visible, visibleRow } from '../../src/contract/visible.ts'
import type { Values } from '../../src/contract/when.ts'
import { type Random, seeded } from '../../src/server/ops/demo/random.ts'
import type { Form } from './agreeForms.ts'
import { right } from './agreeRight.ts'
import { hostile, UNKNOWN, wrong } from './agreeWrong.ts'

/** Answers to some groups of a form, valid or invalid; the same ones for the same seed. */
export interface Document {
  name: string
  /** The form's name. */
  from: string
  groups: Group[]
  answers: Values
}

const WHOLE = 0.05
const UNSPOILT = 0.4
const MAX_TRIED = 5

/** Generates `count` documents, taking the forms in turn. */
export function* documents(forms: Form[], count: number, seed: number): Generator<Document> {
  const random = seeded(seed)
  for (let number = 1; number <= count; number++) {
    const { from, groups: all } = forms[number % forms.length]
    const groups = random.chance(WHOLE) ? all : random.some(all, 2)
    let answers = answersTo(groups, random)
    const times = random.chance(UNSPOILT) ? 0 : random.between(1, 5)
    for (let i = 0; i < times; i++) answers = spoilt(answers, shown(groups, answers), random)
    yield { name: `document ${number}, ${from}`, from, groups, answers }
  }
}

/**
 * Generates valid answers in rounds: answers that became hidden are removed, fields that became visible are answered
 * next.
 */
export function answersTo(groups: Group[], random: Random): Values {
  let answers: Values = {}
  for (let round = 0; round < 3; round++) {
    for (const field of shown(groups, answers)) {
      if (field.name in answers || !(isRequired(field, { answers }) || random.chance(0.5))) continue
      answers[field.name] = rightFor(field, answers, random)
    }
    const names = new Set(shown(groups, answers).map((f) => f.name))
    answers = Object.fromEntries(Object.entries(answers).filter(([name]) => names.has(name)))
  }
  return answers
}

function shown(groups: Group[], answers: Values): Field[] {
  return visible(groups, { answers }).flatMap((g) => g.fields)
}

function rightFor(field: Field, around: Values, random: Random): unknown {
  if (field.type !== 'repeat') return (right[field.type] ?? exampleOf)(field, random)
  const { fields = [], attrs } = field
  const least = attrs?.min ?? 1
  const count = random.between(least, Math.min(least + 1, attrs?.max ?? 100))
  return Array.from({ length: count }, (_, i) => {
    const row: Values = random.chance(0.8) ? { row: `r${i}` } : {}
    for (const column of fields) {
      const isShown = visibleRow(fields, { ...row }, { answers: around }).includes(column)
      const needed = isRequired(column, { answers: { ...around, ...row } }) || random.chance(0.5)
      if (isShown && needed) row[column.name] = rightFor(column, { ...around, ...row }, random)
    }
    return row
  })
}

type Spoil = (values: Values, fields: Field[], random: Random) => [name: string, value: unknown]

const SPOILS: Spoil[] = [
  edge,
  edge,
  edge,
  edge,
  (_, fields, random) => [nameIn(fields, random), hostile(random)],
  (_, fields, random) => [nameIn(fields, random), undefined],
  (_, __, random) => [random.pick(UNKNOWN), hostile(random)],
]

/** Copies values with one of them changed or added, or removed if the spoil returns undefined. */
function spoilt(values: Values, fields: Field[], random: Random): Values {
  const [name, value] = random.pick(SPOILS)(values, fields, random)
  const others = Object.entries(values).filter(([key]) => key !== name)
  // Made from entries, so that __proto__ becomes a key as it does in parsed JSON.
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]])
}

function edge(values: Values, fields: Field[], random: Random): [string, unknown] {
  const repeats = fields.filter((f) => f.type === 'repeat')
  const field = repeats.length > 0 && random.chance(0.3) ? random.pick(repeats) : random.pick(fields)
  if (!field) return ['unknown', 1]
  if (field.type !== 'repeat') return [field.name, (wrong[field.type] ?? exampleOf)(field, random)]
  return [field.name, wrongRows(field, values[field.name], random)]
}

function wrongRows(field: Field, before: unknown, random: Random): unknown {
  const rows = Array.isArray(before) && before.length > 0 ? before : (rightFor(field, {}, random) as Values[])
  const most = field.attrs?.max ?? 100
  const at = random.between(0, rows.length - 1)
  const kind = random.between(1, 10)
  if (kind === 1) return rows.with(at, hostile(random))
  if (kind === 2) return [rows]
  if (kind === 3) return rows.slice(1)
  if (kind === 4 && most <= MAX_TRIED) return Array(most + 1).fill(rows[0])
  const row = rows[at]
  return isRow(row) ? rows.with(at, spoilt(row, field.fields ?? [], random)) : rows
}

function isRow(row: unknown): row is Values {
  return row !== null && typeof row === 'object' && !Array.isArray(row)
}

function nameIn(fields: Field[], random: Random): string {
  return random.pick(fields)?.name ?? 'unknown'
}

/** Valid and invalid value of a type without a generator of its own. */
function exampleOf({ type }: Field): unknown {
  return FIELD_TYPES[type].example
}
