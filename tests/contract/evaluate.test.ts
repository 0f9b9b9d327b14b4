import { describe, expect, it } from 'vitest'
import type { Field, FieldAttrs, Group } from '../../src/contract/generated.ts'
import { evaluate, evaluateRow } from '../../src/contract/visible.ts'
import { holds, isPlainObject, type Values, type When } from '../../src/contract/when.ts'
import { type Random, seeded } from '../../src/server/ops/demo/random.ts'
import { FULL } from '../full.ts'
import { field, group, repeat } from './metaBuilders.ts'

/** A form in an order in which each field refers only to fields before it, and the same shuffled into groups. */
interface FormMade {
  inOrder: Field[]
  groups: Group[]
}

function formMade(random: Random): FormMade {
  const inOrder: Field[] = []
  const count = random.between(3, 10)
  for (let i = 0; i < count; i++) inOrder.push(fieldMade(`f${i}`, inOrder, random))
  const shuffled = inOrder
    .map((one) => ({ one, at: random.between(0, 999) }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
  const half = random.between(0, count)
  return { inOrder, groups: [group('g', shuffled.slice(0, half)), group('h', shuffled.slice(half))] }
}

/** A field that refers to those `before` it, in rows also to those around them. */
function fieldMade(name: string, before: Field[], random: Random, around: Field[] = [], depth = 0): Field {
  const reach = [...around, ...before]
  const attrs: FieldAttrs = random.chance(0.4) && reach.length > 0 ? { when: conditionOn(reach, random) } : {}
  if (random.chance(0.1)) attrs.is_on = false
  if (depth < 2 && random.chance(0.25)) {
    const columns: Field[] = []
    for (let i = 0; i < random.between(1, 4); i++)
      columns.push(fieldMade(`${name}c${i}`, columns, random, reach, depth + 1))
    return repeat(name, columns, { ...attrs, max: 3 })
  }
  if (reach.length === 0 || random.chance(0.5)) return field(name, 'integer', attrs)
  const of = Array.from({ length: random.between(1, 3) }, () => {
    const source = random.pick(reach)
    const column =
      source.type === 'repeat' && before.includes(source) ? random.pick(source.fields!) : undefined
    if (column && column.type !== 'repeat') return `${source.name}.${column.name}`
    return source.type === 'repeat' ? 2 : source.name
  })
  return field(name, 'integer', { ...attrs, calc: random.pick(['sum', 'count'] as const), of })
}

function conditionOn(fields: Field[], random: Random): When {
  const test = random.pick([{ min: 3 }, { max: 5 }, { set: true }, { set: false }, 4, { not: 4 }])
  return { [random.pick(fields).name]: test }
}

function answersMade(fields: Field[], random: Random): Values {
  const answered = fields.filter(() => random.chance(0.8))
  return Object.fromEntries(
    answered.map(({ name, type, fields: columns = [] }) => [
      name,
      type === 'repeat'
        ? Array.from({ length: random.between(0, 3) }, () => answersMade(columns, random))
        : random.between(0, 9),
    ]),
  )
}

/** What fields in order mean: their visible values, of rows only calculations are made. */
function byDefinition(fields: Field[], given: Values, around: Values): Values {
  const answers: Values = { ...around }
  const own: Values = {}
  for (const one of fields) {
    const { name, attrs, type } = one
    if (attrs?.is_on === false || !holds(attrs?.when, { answers })) answers[name] = undefined
    else if (attrs?.calc) {
      const of = attrs.of!.flatMap((argument) => valuesOf(argument, fields, answers))
      const numbers = of.filter((value) => typeof value === 'number')
      const sum = numbers.length > 0 ? numbers.reduce((a, b) => a + b) : undefined
      own[name] = answers[name] =
        attrs.calc === 'count' ? of.filter((value) => value !== undefined).length : sum
    } else own[name] = answers[name] = type === 'repeat' ? given[name] : (given[name] ?? around[name])
    if (own[name] === undefined) delete own[name]
  }
  return own
}

function valuesOf(argument: unknown, fields: Field[], answers: Values): unknown[] {
  if (typeof argument === 'number') return [argument]
  const [head, column] = (argument as string).split('.')
  if (column === undefined) return [answers[head]]
  const columns = fields.find(({ name }) => name === head)?.fields ?? []
  const rows = Array.isArray(answers[head]) ? answers[head].filter(isPlainObject) : []
  return rows.map((row) => byDefinition(columns, row, answers)[column])
}

describe('a form without circles', () => {
  const COUNT = FULL ? 20_000 : 1500

  it(`means what each field says, in ${COUNT} forms with rows and calculations, in any order`, () => {
    const random = seeded(41)
    for (let i = 0; i < COUNT; i++) {
      const { inOrder, groups } = formMade(random)
      for (let again = 0; again < 3; again++) {
        const answers = answersMade(inOrder, random)
        const expected = byDefinition(inOrder, answers, {})
        const before = JSON.stringify(answers)
        expect(evaluate(groups, { answers }).answers, JSON.stringify({ groups, answers })).toEqual(expected)
        expect(JSON.stringify(answers)).toBe(before)
      }
    }
  })

  it('evaluates a row of it as the whole does', () => {
    const random = seeded(42)
    for (let i = 0; i < COUNT; i++) {
      const { inOrder, groups } = formMade(random)
      const { answers } = evaluate(groups, { answers: answersMade(inOrder, random) })
      for (const { name, fields = [] } of inOrder)
        for (const row of Array.isArray(answers[name]) ? (answers[name] as Values[]) : []) {
          const expected = byDefinition(fields, row, answers)
          const { fields: columns, values } = evaluateRow(fields, row, { answers })
          const own = columns.filter((one) => one.name in values || one.attrs?.calc)
          expect(Object.fromEntries(own.map((one) => [one.name, values[one.name]]))).toEqual(
            Object.fromEntries(own.map((one) => [one.name, expected[one.name]])),
          )
        }
    }
  })
})
