import { describe, expect, it } from 'vitest'
import { withPaths } from '../../src/constructor/state/withPaths.ts'
import { plainLabel } from '../../src/contract/filledTexts.ts'
import type { Field } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { evaluate, evaluateRow } from '../../src/contract/visible.ts'
import { caseMeta, choice, field, group } from './metaBuilders.ts'

const labelled = (label: string): Field => ({ ...field('x'), label })
const rendered = (label: string, answers = {}) =>
  evaluate([group('g', [field('name'), labelled(label)])], { answers }).groups[0].fields[1].label

describe('a text with braces', () => {
  it.each([
    ['Is {name} well?', 'Is Ann well?'],
    ['Write {{name}} in the letter', 'Write {name} in the letter'],
    ['{{{name}}}', '{Ann}'],
    ['A set {{1, 2}} of { two }', 'A set {1, 2} of { two }'],
    ['{Name} and { name } are as written', '{Name} and { name } are as written'],
  ])('%j is shown as %j', (written, shown) => {
    expect(rendered(written, { name: 'Ann' })).toBe(shown)
  })

  it('has no answer outside of its form, and braces as they are shown', () => {
    expect(plainLabel('Is {name} {{sic}}?')).toBe('Is … {sic}?')
  })

  it('in doubled braces names no field', () => {
    const form = caseMeta(group('g', [labelled('Write {{nobody}}')]))
    expect(checkMeta(form, { lookups: {} })).toEqual([])
    expect(withPaths(labelled('{name} {{name}}'), () => 'new').label).toBe('{new} {{name}}')
  })

  it('may be a message of a check or of an empty field', () => {
    const said = field('x', 'text', {
      required_text: 'Say what {name} said',
      checks: [{ when: { x: 'a' }, message: '{x} is not {{what}} {name} said, {gone}' }],
    })
    const { attrs } = evaluate([group('g', [field('name'), said])], { answers: { name: 'Ann', x: 'a' } })
      .groups[0].fields[1]
    expect(attrs).toMatchObject({
      required_text: 'Say what Ann said',
      checks: [{ when: { x: 'a' }, message: 'a is not {what} Ann said, …' }],
    })
    expect(checkMeta(caseMeta(group('g', [field('name'), said])), { lookups: {} })).toMatchObject([
      {
        path: [0, 'fields', 1, 'attrs', 'checks', 0, 'message'],
        message: expect.stringContaining("'{gone}'"),
      },
    ])
    expect(withPaths(said, (name) => `${name}_2`).attrs).toMatchObject({
      required_text: 'Say what {name_2} said',
      checks: [{ when: { x_2: 'a' }, message: '{x_2} is not {{what}} {name_2} said, {gone_2}' }],
    })
  })

  it('may be the hint of a choice', () => {
    const risk = choice('risk', ['high', 'low'])
    risk.attrs!.options![0] = { ...risk.attrs!.options![0], hint: '{name} may be {{harmed}}' }
    const form = group('g', [field('name'), risk])
    const { attrs } = evaluate([form], { answers: { name: 'Ann' } }).groups[0].fields[1]
    expect(attrs!.options).toEqual([
      { value: 'high', label: 'High', hint: 'Ann may be {harmed}' },
      { value: 'low', label: 'Low' },
    ])
    expect(withPaths(risk, () => 'new').attrs!.options![0].hint).toBe('{new} may be {{harmed}}')
    expect(checkMeta(caseMeta(group('g', [risk])), { lookups: {} })).toMatchObject([
      { path: [0, 'fields', 0, 'attrs', 'options', 0, 'hint'], message: expect.stringMatching(/'{name}'/) },
    ])
  })

  it('has the answers of its own row', () => {
    const columns = [field('name'), labelled('{{{name}}}')]
    expect(evaluateRow(columns, { name: 'Ann' }, {}).fields[1].label).toBe('{Ann}')
  })
})
