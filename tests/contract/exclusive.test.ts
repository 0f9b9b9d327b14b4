import { describe, expect, it } from 'vitest'
import { partsOf } from '../../src/constructor/forms/diffParts.ts'
import { impactOf } from '../../src/constructor/forms/impact.ts'
import type { Field, FieldAttrs, FieldType, Option } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { toSchema } from '../../src/contract/schema.ts'
import { validateAnswers } from '../../src/contract/validateAnswers.ts'
import { validateSchema } from '../../src/engine/form/store/validateSchema.ts'
import { ajvValidate } from '../../src/server/core/ajvValidate.ts'
import { caseMeta, group } from './metaBuilders.ts'

const OPTIONS: Option[] = [
  { value: 'dog', label: 'A dog' },
  { value: 'cat', label: 'A cat' },
  { value: 'none', label: 'None of these', exclusive: true },
]
const withoutExclusive = OPTIONS.map(({ exclusive: _, ...option }) => option)
const pets = (options: Option[], attrs: FieldAttrs = {}, type: FieldType = 'multiselect'): Field => ({
  name: 'pets',
  label: 'Pets',
  type,
  attrs: { options, ...attrs },
})

describe('a choice that excludes all others', () => {
  it.each([
    [['none'], undefined],
    [['dog', 'cat'], undefined],
    [['dog', 'none'], ['Pets cannot be ‘None of these’ and something else as well']],
  ])('of %j is found by browser and server to be %j', (answer, expected) => {
    const schema = toSchema([group('g', [pets(OPTIONS)])], {})
    for (const validator of [ajvValidate, validateSchema])
      expect(validateAnswers(schema, { pets: answer }, validator, '2026-06-04').pets).toEqual(expected)
  })

  it('is refused where one is chosen in any case, and as a default beside others', () => {
    const messages = (field: Field) =>
      checkMeta(caseMeta(group('g', [field])), { lookups: {} }).map(({ message, path }) => [
        path.slice(3).join('.'),
        message,
      ])
    expect(messages(pets(OPTIONS))).toEqual([])
    expect(messages(pets(OPTIONS, {}, 'select'))).toEqual([
      [
        'attrs.options.2.exclusive',
        "'Pets' takes one choice in any case; 'None of these' need not exclude others",
      ],
    ])
    expect(messages(pets(OPTIONS, { default: ['cat', 'none'] }))).toEqual([
      ['attrs.default', "'Pets' begins as 'None of these' with others, which it excludes"],
    ])
  })

  it('differs in words, and the publication says what it means for records', () => {
    const [was, is] = [pets(withoutExclusive), pets(OPTIONS)]
    expect(partsOf(was, is, new Map(), new Map())).toEqual([
      {
        name: 'Choices',
        before: 'A dog\nA cat\nNone of these',
        after: 'A dog\nA cat\nNone of these, excludes all others',
      },
    ])
    const usage = { cases: 9, issues: 0, case_meta: { pets: 4 }, issue_meta: {} }
    expect(
      impactOf(caseMeta(group('g', [was])), caseMeta(group('g', [is])), usage).map(({ words }) => words),
    ).toEqual([
      "'Pets' can no longer be 'None of these' and something else as well now: 4 of 9 cases have an answer; one that breaks this stays until it is changed",
    ])
  })
})
