import { describe, expect, it } from 'vitest'
import type { Field, Group } from '../../src/contract/generated.ts'
import { visible, visibleRow } from '../../src/contract/visible.ts'
import { holds, type Values, type When } from '../../src/contract/when.ts'
import { seeded } from '../../src/server/ops/demo/random.ts'
import { FULL } from '../full.ts'

const field = (name: string, attrs?: Field['attrs']): Field => ({ name, label: name, type: 'text', attrs })
const group = (name: string, fields: Field[], attrs?: Group['attrs']): Group => ({
  name,
  label: name,
  fields,
  attrs,
})
const names = (groups: Group[]) => groups.flatMap((g) => g.fields.map((f) => f.name))

describe('visible', () => {
  it('drops fields that are off', () => {
    const groups = [
      group('a', [field('x'), field('y', { is_on: false })]),
      group('b', [field('z')], { is_on: false }),
    ]
    expect(names(visible(groups, {}))).toEqual(['x'])
  })

  it('is the same list where the same conditions hold', () => {
    const groups = [group('a', [field('x'), field('y', { when: { x: ['1', '2'] } })])]
    const of = (x: string) => visible(groups, { answers: { x } })
    expect(of('2')).toBe(of('1'))
    expect(names(of('3'))).toEqual(['x'])
  })

  it('drops groups that are left without fields', () => {
    expect(visible([group('a', [field('x', { when: { y: 1 } })])], {})).toEqual([])
  })

  it('drops fields and groups whose condition does not hold', () => {
    const groups = [
      group('a', [field('x'), field('y', { when: { x: 'yes' } })]),
      group('b', [field('z')], { when: { x: 'yes' } }),
    ]
    expect(names(visible(groups, { answers: { x: 'no' } }))).toEqual(['x'])
    expect(names(visible(groups, { answers: { x: 'yes' } }))).toEqual(['x', 'y', 'z'])
  })

  it('treats a hidden answer as unset, along any chain', () => {
    const chain = [
      field('a'),
      field('b', { when: { a: 1 } }),
      field('c', { when: { b: 1 } }),
      field('d', { when: { c: 1 } }),
    ]
    const answers = { a: 2, b: 1, c: 1, d: 1 }
    expect(names(visible([group('g', chain)], { answers }))).toEqual(['a'])
  })

  it('shows a field that depends on another being unset, once that is hidden', () => {
    const fields = [field('a'), field('b', { when: { a: 1 } }), field('c', { when: { b: { set: false } } })]
    expect(names(visible([group('g', fields)], { answers: { a: 2, b: 1 } }))).toEqual(['a', 'c'])
  })

  it('treats an answer to a field that is off as unset', () => {
    const fields = [field('a', { is_on: false }), field('b', { when: { a: 1 } })]
    expect(names(visible([group('g', fields)], { answers: { a: 1 } }))).toEqual([])
  })

  it('ends with circular conditions', () => {
    const circle = [
      field('a', { when: { b: { set: false } } }),
      field('b', { when: { a: { set: false } } }),
      field('c'),
    ]
    expect(names(visible([group('g', circle)], { answers: { a: 1, b: 1 } }))).toContain('c')
  })

  it('does not change its arguments', () => {
    const groups = [group('a', [field('x', { when: { y: 1 } })])]
    const before = JSON.stringify(groups)
    visible(groups, { answers: {} })
    expect(JSON.stringify(groups)).toBe(before)
  })
})

describe('visibleRow', () => {
  const columns = [
    field('kind'),
    field('other', { when: { kind: 'other' } }),
    field('x', { when: { top: 1 } }),
  ]

  it('looks in the row first, then in the answers around it', () => {
    const scope = { answers: { kind: 'other', top: 1 } }
    expect(visibleRow(columns, { kind: 'known' }, scope).map((f) => f.name)).toEqual(['kind', 'x'])
  })

  it('is empty if every field is hidden', () => {
    expect(visibleRow([field('x', { is_on: false })], {}, {})).toEqual([])
  })
})

/** The same by its definition: every condition is evaluated in every round. */
function visibleByRounds(groups: Group[], answers: Values): Group[] {
  const on = groups
    .filter((g) => g.attrs?.is_on !== false)
    .map((g) => ({ ...g, fields: g.fields.filter((f) => f.attrs?.is_on !== false) }))
  const known = new Set(names(groups))
  let shown = new Set(names(on))
  let result = on
  for (let round = 0; round <= known.size; round++) {
    const entries = Object.entries(answers).filter(([name]) => shown.has(name) || !known.has(name))
    const seen = { answers: Object.fromEntries(entries) }
    result = on
      .filter((g) => holds(g.attrs?.when, seen))
      .map((g) => ({ ...g, fields: g.fields.filter((f) => holds(f.attrs?.when, seen)) }))
      .filter((g) => g.fields.length > 0)
    const next = new Set(names(result))
    if (next.size === shown.size && [...next].every((name) => shown.has(name))) break
    shown = next
  }
  return result
}

describe('visible of any form', () => {
  const random = seeded(2026)
  const name = () => `f${random.between(0, 9)}`
  const test = () => random.pick(['x', 'y', ['x', 'y'], { not: 'x' }, { set: true }, { set: false }])
  const when = (): When | undefined =>
    random.chance(0.3)
      ? undefined
      : { [name()]: test(), ...(random.chance(0.3) && { any: [{ [name()]: test() }, { [name()]: test() }] }) }

  it('equals the result of all rounds, also with circular conditions', () => {
    for (let n = 0; n < (FULL ? 20_000 : 1500); n++) {
      const groups = [0, 1, 2].map((g) =>
        group(
          `g${g}`,
          [0, 1, 2].map((f) =>
            field(`f${g * 3 + f}`, { when: when(), ...(random.chance(0.1) && { is_on: false }) }),
          ),
          { when: random.chance(0.3) ? when() : undefined },
        ),
      )
      for (let again = 0; again < 3; again++) {
        const answers = Object.fromEntries([...Array(6)].map(() => [name(), random.pick(['x', 'y', ''])]))
        expect(visible(groups, { answers })).toEqual(visibleByRounds(groups, answers))
      }
    }
  })
})
