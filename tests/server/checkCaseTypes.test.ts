import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { coverageOf, describeUncovered, isCovered } from '../../src/constructor/forms/formTestCoverage.ts'
import { contextOfService } from '../../src/contract/caseType/formTestContext.ts'
import type { FormTest } from '../../src/contract/generated.ts'
import { printProblem } from '../../src/contract/locate.ts'
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

/** Line and column of the value of a key that replaces another one. */
const placeOf = (right: string, wrong: string) => {
  const lines = text.split('\n')
  const line = lines.findIndex((one) => one.includes(right))
  return `${line + 1}:${lines[line].indexOf(right) + wrong.indexOf(': ') + 3}`
}

it.each([
  [
    'a value that its question never has',
    '"sfg_concern": "yes"',
    '"sfg_concern": "maybe"',
    "'Safeguarding concern in this issue' has no choice 'maybe'; choose another value",
  ],
  [
    'a text for a number of the record',
    '"sfg_concern": "yes"',
    '"record.version": "1"',
    "'version' is a number, which '1' never equals; write 1",
  ],
  [
    'a misspelt field of the record',
    '"sfg_concern": "yes"',
    '"record.is_opned": true',
    "This condition looks at 'record.is_opned', but there is no such field; did you mean 'is_opened'?",
  ],
  [
    'a text for the number of a role',
    '"sfg_concern": "yes"',
    '"user.groups": ["Advocate"]',
    "'groups' is a list of which each is a number, which 'Advocate' never equals",
  ],
])('refuses a condition with %s, and says where', (_, right, wrong, message) => {
  const [first] = problems(text.replace(right, wrong))
  expect(first).toBe(`x.json:${placeOf(right, wrong)}  ${message}`)
})

it('refuses a list that is narrowed by a misspelt field of the case or of the client', () => {
  const messages = [
    ['"$case.service"', '"$case.servce"', "the case has no such field; did you mean 'service'?"],
    ['"$client.area"', '"$client.are"', "the client has no such field; did you mean 'area'?"],
    ['"$client.area"', '"$clint.area"', "there is no 'clint' here"],
  ].map(([right, wrong, message]) => {
    const [first] = problems(text.replace(right, wrong))
    return first.includes(`is narrowed by '${wrong.slice(2, -1)}', but ${message}`) ? 'refused' : first
  })
  expect(messages).toEqual(['refused', 'refused', 'refused'])
})

it.each([
  [
    'a group of people',
    '"group:safeguarding_leads"',
    '"group:safeguarding_lead"',
    "There is no group of people 'safeguarding_lead'; did you mean 'safeguarding_leads'?",
  ],
  ['a role', '"as": { "roles": [4]', '"as": { "roles": [40]', 'There is no role with the id 40'],
  [
    'a type of action',
    '{ "type": 3, "on"',
    '{ "type": 999, "on"',
    'There is no type of action with the id 999',
  ],
  ['a service', '"service": 1,', '"service": 99,', 'There is no service with the id 99'],
])('refuses %s that a new database does not have, and says where', (_, right, wrong, message) => {
  const [first] = problems(text.replace(right, wrong))
  expect(first).toContain(`x.json:${lineOf(right)}:`)
  expect(first).toContain(message)
})

it('refuses a case type with the code of another one', () => {
  const [, second] = [...text.matchAll(/^ {4}"code": "(\w+)"/gm)]
  const [, first] = text.match(/^ {4}"code": "(\w+)"/m)!
  expect(problems(text.replace(second[0], `    "code": "${first}"`))[0]).toContain(
    `Another case type has '${first}' as its code`,
  )
})
