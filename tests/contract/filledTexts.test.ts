import { describe, expect, it } from 'vitest'
import { withPaths } from '../../src/constructor/state/withPaths.ts'
import { plainLabel } from '../../src/contract/filledTexts.ts'
import type { Field } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { evaluate, evaluateRow } from '../../src/contract/visible.ts'
import { caseMeta, field, group } from './metaBuilders.ts'

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

  it('has the answers of its own row', () => {
    const columns = [field('name'), labelled('{{{name}}}')]
    expect(evaluateRow(columns, { name: 'Ann' }, {}).fields[1].label).toBe('{Ann}')
  })
})
