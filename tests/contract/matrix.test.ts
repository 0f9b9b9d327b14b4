import { describe, expect, it } from 'vitest'
import { partsOf } from '../../src/constructor/forms/diffParts.ts'
import { impactOf } from '../../src/constructor/forms/impact.ts'
import { addField, setFieldAttrs } from '../../src/constructor/state/edit.ts'
import type { Field, FieldAttrs, Group, Option } from '../../src/contract/generated.ts'
import { matrixColumns } from '../../src/contract/matrix.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { caseMeta, choice, field, group } from './metaBuilders.ts'

const OFTEN: Option[] = [
  { value: 'no', label: 'Never', weight: 0 },
  { value: 'yes', label: 'Always', weight: 1 },
]
const TURNED = OFTEN.map((option, i) => ({ ...option, weight: 1 - i }))
const RETIRED = { value: 'rare', label: 'Rarely', active: false }

const row = (name: string, options = OFTEN, attrs: FieldAttrs = {}): Field =>
  field(name, 'select', { options, ...attrs })
const table = (...fields: Field[]): Group => group('said', fields, { layout: 'matrix' })

describe('a group that is drawn as a table', () => {
  const problems = (...fields: Field[]) =>
    checkMeta(caseMeta(table(...fields)), { lookups: { area: { title: 'Area' } } as never }).map(
      ({ path, message }) => [path.slice(1).join('.'), message],
    )

  it('is published where all its fields in use offer the same choices, whatever these weigh', () => {
    expect(problems(row('heard'), row('ignored', TURNED), row('asked', [...OFTEN, RETIRED]))).toEqual([])
    expect(problems(row('heard'), field('note', 'text', { is_on: false }))).toEqual([])
    expect(problems()).toEqual([])
  })

  it.each([
    [field('b', 'text')],
    [field('b', 'select', { lookup: 'area' })],
    [row('b', OFTEN, { read_only: true })],
    [choice('b', ['no', 'yes'], {}, 'multiselect')],
  ])('is refused with %j', (other) => {
    expect(problems(row('a'), other)).toContainEqual([
      'fields.1',
      "The group 'Said' is a table, so 'B' must be one choice of its own choices; move it to another group",
    ])
  })

  it('is refused where the choices differ, or are too many', () => {
    expect(problems(row('a'), row('b', OFTEN.toReversed()))).toEqual([
      ['fields.1.attrs.options', "'B' must offer the same choices as 'A': their group 'Said' is a table"],
    ])
    const many = Array.from({ length: 8 }, (_, i) => ({ value: i, label: `Choice ${i}` }))
    expect(problems(row('a', many))).toEqual([
      [
        'attrs.layout',
        "A table has room for 7 choices and 'Said' has 8; show its questions one below the other",
      ],
    ])
  })

  it('has a column for a retired choice only while a row is answered by it', () => {
    const fields = [row('a'), row('b', [RETIRED, ...OFTEN])]
    const labels = (answers: Record<string, unknown>) => matrixColumns(fields, answers)?.map((o) => o.label)
    expect(labels({ a: 'no' })).toEqual(['Never', 'Always'])
    expect(labels({ b: 'rare' })).toEqual(['Never', 'Always', 'Rarely'])
    expect(matrixColumns([row('a'), field('b')], {})).toBeUndefined()
    expect(matrixColumns([], {})).toBeUndefined()
  })

  it('differs in words from a list, and means nothing for records', () => {
    const [was, is] = [group('said', [row('a')]), table(row('a'))]
    expect(partsOf(was, is, new Map(), new Map())).toEqual([
      { name: 'Drawn', before: 'One below the other', after: 'As a table' },
    ])
    const usage = { cases: 9, issues: 0, case_meta: { a: 4 }, issue_meta: {} }
    expect(impactOf(caseMeta(was), caseMeta(is), usage)).toEqual([])
  })

  it('gives its choices to a new row, and those of one row to all', () => {
    const { groups } = addField([table(row('a'), row('b', TURNED))], ['said'], { label: 'C', type: 'select' })
    expect(groups[0].fields[2].attrs!.options).toEqual(OFTEN)
    const more = [...OFTEN, { value: 'often', label: 'Often', weight: 5 }]
    const [{ fields }] = setFieldAttrs(groups, ['said', 'a'], { options: more })
    expect(fields.map(({ attrs }) => attrs!.options!.map(({ value, weight }) => [value, weight]))).toEqual([
      [
        ['no', 0],
        ['yes', 1],
        ['often', 5],
      ],
      [
        ['no', 1],
        ['yes', 0],
        ['often', 5],
      ],
      [
        ['no', 0],
        ['yes', 1],
        ['often', 5],
      ],
    ])
    expect(setFieldAttrs(groups, ['said', 'a'], { required: true })[0].fields[1]).toBe(groups[0].fields[1])
  })
})
