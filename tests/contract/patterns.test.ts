import { describe, expect, it } from 'vitest'
import { expressionOf } from '../../src/constructor/settings/RuleSettings.tsx'
import type { Field, FieldAttrs } from '../../src/contract/generated.ts'
import { checkLimits } from '../../src/contract/meta/checkLimits.ts'
import { MAX_MATCHED_LENGTH, matchesPattern, patternError } from '../../src/contract/patterns.ts'

describe('a pattern', () => {
  it('matches whole texts', () => {
    expect(matchesPattern('[A-Z]{2}\\d+|none', 'AB12')).toBe(true)
    expect(matchesPattern('[A-Z]{2}\\d+|none', 'none')).toBe(true)
    expect(matchesPattern('[A-Z]{2}\\d+|none', 'AB12 ')).toBe(false)
    expect(matchesPattern('[A-Z]{2}\\d+|none', 'xAB12')).toBe(false)
    expect(matchesPattern('(?i)\\pL{2}.', 'žÉ😀')).toBe(true)
  })

  // With the expressions of JavaScript each of these takes longer than the universe has.
  it.each(['(a+)+', '(a|a)*b', '(a*)*c', '(.*.*)*=', '([a-z]+)*\\d', '(\\w+\\s?)*$x'])(
    '%s takes time in proportion to the text',
    (expression) => {
      expect(patternError(expression)).toBeUndefined()
      expect(matchesPattern(expression, `${'a'.repeat(MAX_MATCHED_LENGTH - 1)}!`)).toBe(false)
    },
  )

  it('of another kind, or too large, is refused with that reason', () => {
    expect(patternError('(?=a)')).toMatch(/^invalid or unsupported Perl syntax/)
    expect(patternError('(a)\\1')).toMatch(/^invalid escape sequence/)
    expect(patternError('[a')).toBe('missing closing ]: `[a`')
    expect(patternError('(a{1,1000}){1,1000}')).toBe('expression too large')
    expect(patternError('((a{0,100}){0,10})')).toBe('it repeats too much')
  })
})

it('an expression made of an example matches it, whatever it holds', () => {
  const examples = ['AB-1234', 'Éa9 ', '(x) [y] {1} ^$.|?*+\\/', '😀😀', '', 'a-b_c', '٣']
  for (const example of examples) expect(matchesPattern(expressionOf(example), example)).toBe(true)
  expect(expressionOf('AB-1234')).toBe('[A-Z]{2}-[0-9]{4}')
})

describe('a field with a pattern', () => {
  const errorsOf = (attrs: FieldAttrs, type: Field['type'] = 'text') => {
    const found: string[] = []
    checkLimits({ name: 'number', label: 'Number', type, attrs }, new Map(), (_, message) =>
      found.push(message),
    )
    return found
  }
  const pattern = { matches: '[A-Z]\\d', example: 'A1' }

  it('is one whose example and default it matches', () => {
    expect(errorsOf({ pattern, default: 'B2' })).toEqual([])
    expect(errorsOf({ pattern: { ...pattern, example: 'a1' } })).toEqual([
      "The pattern of 'Number' does not match its example 'a1'; change one",
    ])
    expect(errorsOf({ pattern, default: 'b2' })).toEqual([
      "'Number' cannot begin as 'b2', which its pattern does not match",
    ])
    expect(errorsOf({ pattern: { matches: '', example: '' } })).toEqual(["Write the pattern of 'Number'"])
    expect(errorsOf({ pattern: { matches: 'a*', example: '' } })).toEqual([
      "Write an example that the pattern of 'Number' matches",
    ])
  })

  it('is a text that is short enough for it', () => {
    expect(errorsOf({ pattern }, 'textarea')).toEqual([
      "Only a text can have a pattern; remove that of 'Number'",
    ])
    expect(errorsOf({ pattern, max_length: 501 })).toEqual([
      "'Number' has a pattern, so it may have 500 characters; lower its maximum",
    ])
  })
})
