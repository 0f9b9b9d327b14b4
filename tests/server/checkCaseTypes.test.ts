import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { coverageOf, describeUncovered, isCovered } from '../../src/constructor/forms/formTestCoverage.ts'
import type { FormTest } from '../../src/contract/generated.ts'
import { printProblem } from '../../src/contract/locate.ts'
import { contextOfService } from '../../src/contract/meta/formTests.ts'
import type { Metas } from '../../src/contract/meta/metaTypes.ts'
import { checkCaseTypes } from '../../src/server/ops/demo/checkCaseTypes.ts'
import { contract } from '../loadedContract.ts'

const text = readFileSync('src/server/ops/demo/case-types.json', 'utf8')
const problems = (changed: string) => checkCaseTypes(contract, 'x.json', changed).map(printProblem)
const lineOf = (words: string) => text.split('\n').findIndex((line) => line.includes(words)) + 1

it('finds no mistake in the shipped case types, every condition of which is in a test', () => {
  expect(problems(text)).toEqual([])
  const types = JSON.parse(text) as (Metas & { code: string; service: number; tests: FormTest[] })[]
  const uncovered = types.flatMap((type) =>
    coverageOf(type, type.tests, contextOfService(type.service))
      .filter((one) => !isCovered(one))
      .map((one) => `${type.code}: ${describeUncovered(one)}`),
  )
  expect(uncovered).toEqual([])
})

it('says which test fails where, with the field and the reason', () => {
  const before = '"smt_type": "other"'
  expect(problems(text.replace(before, '"smt_type": "ect"'))).toEqual([
    `x.json:${lineOf('A treatment that is not in the list') - 1}:7  this test fails: 'Which treatment' should be shown and is not. 'Which treatment' is shown only when 'Treatment' is ECT; 'Treatment' is now Other.`,
  ])
})

it('says where a test has another shape', () => {
  const before = '"name": "A treatment that is not in the list is named"'
  const line = lineOf(before)
  expect(problems(text.replace(before, '"title": "A treatment"'))).toEqual([
    `x.json:${line - 1}:7  lacks 'name'`,
  ])
  expect(
    problems(
      text.replace(
        before,
        '"name": "An urgent referral by a professional asks why it is urgent and who referred"',
      ),
    ),
  ).toEqual([`x.json:${line}:17  Another test has this name`])
})
