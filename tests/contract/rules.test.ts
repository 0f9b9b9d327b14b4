import { describe, expect, it } from 'vitest'
import { describeRule } from '../../src/constructor/forms/describeRule.ts'
import { FIELD_TYPES } from '../../src/contract/fieldTypes.ts'
import { ruleError } from '../../src/contract/rules.ts'

const passes = (rule: string, value: string) =>
  ruleError(rule, value, { answers: {}, today: '2026-03-15' }) === undefined

describe('named rules of texts', () => {
  it.each<[rule: string, right: string[], wrong: string[]]>([
    [
      'url',
      ['https://example.org', 'http://a.b.co.uk/x?y=1#z', 'HTTPS://Example.org:8080/'],
      [
        'example.org',
        'ftp://example.org',
        'https://',
        'https://example',
        'https://a b.org',
        'javascript:alert(1)',
      ],
    ],
    ['letters', ['Anna', "O'Neill-Žofie", 'Ελένη', 'e\u0301'], ['Anna1', '-', ' Anna', 'a_b', '']],
    ['digits', ['0', '00123'], ['1.5', '-1', '1 2', '']],
    [
      'uk_vehicle',
      ['AB12 CDE', 'ab12cde', 'A123 BCD', 'ABC 123D', 'AIZ 1234', '1 A'],
      ['AB12 CDEF', '12345', 'AB 12345'],
    ],
    [
      'national_insurance',
      ['AB 12 34 56 C', 'ab123456c', 'AB-12-34-56-D'],
      ['AB123456E', 'DA123456A', 'BG123456A', 'AO123456A', 'AB12345A', 'QQ123456C'],
    ],
  ])('%s', (rule, right, wrong) => {
    expect(right.filter((value) => !passes(rule, value))).toEqual([])
    expect(wrong.filter((value) => passes(rule, value))).toEqual([])
  })

  it('take no longer for texts that nearly fit', () => {
    for (const rule of ['url', 'letters', 'digits', 'uk_vehicle', 'national_insurance']) {
      for (const part of ['a', '1', 'a.', 'https://a.', " '"]) passes(rule, `${part.repeat(100_000)}!`)
    }
  })

  it('have words of their own', () => {
    for (const rule of Object.values(FIELD_TYPES).flatMap(({ rules = [] }) =>
      rules.filter((name) => name !== 'after'),
    ))
      expect(describeRule(rule, new Map())).not.toContain('must follow the rule')
  })
})
