import { describe, expect, it } from 'vitest'
import type { Field, FieldAttrs, Group } from '../../src/contract/generated.ts'
import { type Part, paperRoute, type Stop, type Target } from '../../src/contract/meta/paperRoute.ts'
import { isOnPage } from '../../src/contract/meta/questionNumbers.ts'
import { evaluate } from '../../src/contract/visible.ts'
import { holds, type Values, type When } from '../../src/contract/when.ts'
import { type Random, seeded } from '../../src/server/ops/demo/random.ts'
import { FULL } from '../full.ts'
import { choice, demoMetas, field, group, hostileMetas, visibleWhen, yesno } from './metaBuilders.ts'

/**
 * The names of the questions that somebody answers who follows the route; what is not answered yet counts as empty, or
 * as that person knows it of going through the form before.
 */
function walk(parts: Part[], answers: Values, before: Values = {}): string[] {
  const given: Values = { ...before }
  const asked: string[] = []
  const allHold = (whens: When[]) => whens.every((when) => holds(when, { answers: given }))
  const placeOf = (target: Target): [number, number] => {
    const part = parts.findIndex(
      ({ group, stops }) => group === target || stops.some((s) => s.field === target),
    )
    return part < 0
      ? [parts.length, 0]
      : [
          part,
          Math.max(
            0,
            parts[part].stops.findIndex((s) => s.field === target),
          ),
        ]
  }
  let [p, s] = [0, 0]
  let isInside = false
  while (p < parts.length) {
    const { onlyIf, stops } = parts[p]
    if ((!isInside && !allHold(onlyIf)) || s >= stops.length) {
      ;[p, s, isInside] = [p + 1, 0, false]
      continue
    }
    isInside = true
    const to = next(stops[s])
    if (!to) s++
    else {
      const before = p
      ;[p, s] = placeOf(to)
      isInside = p === before
    }
  }
  return asked

  function next({ field: { name, type }, onlyIf, skipTo, jump }: Stop): Target | undefined {
    if (!allHold(onlyIf)) return skipTo
    if (type !== 'note') asked.push(name)
    if (answers[name] !== undefined) given[name] = answers[name]
    return jump && !allHold([jump.goOn]) ? jump.to : undefined
  }
}

/** What the form on a screen asks with these answers. */
function onScreen(groups: Group[], answers: Values): string[] {
  return evaluate(groups, { answers })
    .groups.flatMap(({ fields }) => fields)
    .filter((one) => isOnPage(one) && one.type !== 'note')
    .map(({ name }) => name)
}

/** The same of somebody who comes back for the conditions that look further down. */
function walkTwice(parts: Part[], answers: Values): string[] {
  const first = walk(parts, answers).filter((name) => answers[name] !== undefined)
  return walk(parts, answers, Object.fromEntries(first.map((name) => [name, answers[name]])))
}

const routeOf = (...fields: Field[]) => paperRoute([group('one', fields)])[0].stops

describe('the way through a form on paper', () => {
  it('is a jump over what a question decides about right behind it', () => {
    const [first, , , last] = routeOf(
      yesno('urgent'),
      visibleWhen('why', { urgent: 'yes' }),
      visibleWhen('until', { urgent: 'yes' }),
      field('ward'),
    )
    expect(first.jump).toMatchObject({ goOn: { urgent: 'yes' }, to: { name: 'ward' } })
    expect(last.onlyIf).toEqual([])
  })

  it('leads to the next part, or to the end', () => {
    const asks = (name: string) => [yesno(name), visibleWhen(`${name}_why`, { [name]: 'yes' })]
    const [one, two] = paperRoute([group('one', asks('a')), group('two', asks('b'))])
    expect(one.stops[0].jump?.to).toMatchObject({ name: 'two' })
    expect(two.stops[0].jump?.to).toBe('end')
  })

  it('says at the question what was decided further up', () => {
    const stops = routeOf(yesno('urgent'), field('ward'), visibleWhen('why', { urgent: 'yes' }))
    expect(stops.map(({ jump }) => jump)).toEqual([undefined, undefined, undefined])
    expect(stops[2].onlyIf).toEqual([{ urgent: 'yes' }])
  })

  it('passes over a whole part at its head', () => {
    const [, part] = paperRoute([
      group('one', [yesno('care')]),
      group('two', [field('plan')], { when: { care: 'yes' } }),
    ])
    expect(part.onlyIf).toEqual([{ care: 'yes' }])
    expect(part.stops[0].onlyIf).toEqual([])
  })

  it('leads past what hangs on a question that is passed over', () => {
    const stops = routeOf(
      yesno('a'),
      field('x'),
      yesno('b', { when: { a: 'yes' } }),
      visibleWhen('c', { b: 'no' }),
      field('d'),
    )
    expect(stops[2]).toMatchObject({ onlyIf: [{ a: 'yes' }], skipTo: { name: 'd' } })
  })

  it('leaves out what hangs on a question that is off, and that condition where it always holds', () => {
    const [only, ...others] = routeOf(
      yesno('off', { is_on: false }),
      visibleWhen('never', { off: 'yes' }),
      visibleWhen('nor_this', { never: { set: true } }),
      visibleWhen('always', { off: { not: 'yes' } }),
    )
    expect(others).toEqual([])
    expect(only).toMatchObject({ field: { name: 'always' }, onlyIf: [] })
  })

  it('is found for the worst forms too', () => {
    for (const { case_meta } of hostileMetas()) expect(() => paperRoute(case_meta)).not.toThrow()
  })
})

describe('the route on paper asks what the form on a screen asks', () => {
  const random = seeded(7)
  const MANY = FULL ? 5000 : 150
  const differences = (groups: Group[], walked: typeof walk, times: number) => {
    const parts = paperRoute(groups)
    return Array.from({ length: times }, () => answersMade(groups, random)).flatMap((answers) => {
      const [paper, screen] = [walked(parts, answers), onScreen(groups, answers)]
      return paper.join() === screen.join() ? [] : [{ groups, answers, paper, screen }]
    })
  }

  it('in forms of all kinds', () => {
    const forms = Array.from({ length: MANY }, () => formMade(random))
    expect(forms.flatMap((groups) => differences(groups, walk, 4))).toEqual([])
  })

  it('in the case types of the demo', () => {
    const forms = demoMetas().flatMap(({ case_meta, issue_meta }) => [case_meta, issue_meta])
    expect(forms.flatMap((groups) => differences(groups, walkTwice, 10))).toEqual([])
  })
})

/** A form whose conditions look back only, mostly at the question right before. */
function formMade(random: Random): Group[] {
  const names: string[] = []
  const condition = (): When => {
    const near = names.slice(random.chance(0.7) ? -3 : 0)
    const tests = [
      () => 'yes',
      () => ['yes', 'no'],
      () => ({ not: 'yes' }),
      () => ({ set: true }),
      () => ({ not: ['no'] }),
    ]
    const one = () => ({ [random.pick(near)]: random.pick(tests)() }) as When
    if (random.chance(0.1)) return { any: [one(), one()] }
    return random.chance(0.2) ? { ...one(), ...one() } : one()
  }
  const attrs = (): FieldAttrs => ({
    ...(names.length > 0 && random.chance(0.6) && { when: condition() }),
    ...(random.chance(0.05) && { is_on: false }),
  })
  return Array.from({ length: random.between(1, 3) }, (_, g) => {
    const when = names.length > 0 && random.chance(0.3) ? { when: condition() } : {}
    const fields = Array.from({ length: random.between(1, 7) }, (_, i) => {
      const name = `g${g}f${i}`
      const made = random.chance(0.1)
        ? field(name, 'note', attrs())
        : random.chance(0.3)
          ? choice(name, ['yes', 'no', 'a'], attrs(), random.chance(0.3) ? 'multiselect' : 'select')
          : yesno(name, attrs())
      if (made.type !== 'note') names.push(name)
      return made
    })
    return group(`g${g}`, fields, when)
  })
}

function answersMade(groups: Group[], random: Random): Values {
  const answerTo = ({ type, attrs }: Field): unknown => {
    if (random.chance(0.2)) return undefined
    if (type === 'yesno') return random.pick(['yes', 'no', 'not_known'])
    const values = attrs?.options?.map(({ value }) => value) ?? [1, 2, 3]
    if (type === 'multiselect') return [random.pick(values)]
    return type === 'select' ? random.pick(values) : type === 'date' ? '2026-01-02' : undefined
  }
  const entries = groups.flatMap((g) => g.fields).map((one) => [one.name, answerTo(one)])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
