import { Fragment, type ReactElement } from 'react'
import type { Field } from '../contract/types.ts'
import type { Literal, Test, When } from '../contract/when.ts'
import { useChoices } from './choices.ts'
import { OPS, readTest } from './conditionRows.ts'

/** A condition as a sentence: 'Urgent is Yes and (Ward has a value or Setting is Hospital)'. */
export function ConditionWords({ when, reach }: { when: When; reach: Map<string, Field> }): ReactElement {
  return (
    <>
      {Object.entries(when).map(([path, test], i) => (
        <Fragment key={path}>
          {i > 0 && ' and '}
          {path === 'any' ? (
            <Any list={test as When[]} reach={reach} />
          ) : (
            <TestWords path={path} field={reach.get(path)} test={test as Test} />
          )}
        </Fragment>
      ))}
    </>
  )
}

function Any({ list, reach }: { list: When[]; reach: Map<string, Field> }) {
  const isOne = list.length === 1
  return (
    <>
      {list.map((one, i) => (
        <Fragment key={JSON.stringify(one)}>
          {i === 0 ? (isOne ? '' : '(') : ' or '}
          <ConditionWords when={one} reach={reach} />
        </Fragment>
      ))}
      {isOne ? '' : ')'}
    </>
  )
}

function TestWords({ path, field, test }: { path: string; field: Field | undefined; test: Test }) {
  const choices = useChoices(field)
  const word = (value: Literal) => choices?.find((c) => c.value === value)?.label ?? String(value)
  return `${field?.label ?? path} ${partsOf(test)
    .map(({ words, values }) => `${words} ${values.map(word).join(' or ')}`.trim())
    .join(' and ')}`
}

/** The ways in which a test compares, one by one. */
function partsOf(test: Test): { words: string; values: Literal[] }[] {
  const isMany = test !== null && typeof test === 'object' && !Array.isArray(test)
  const tests = isMany ? Object.entries(test).map(([key, value]) => ({ [key]: value }) as Test) : [test]
  return tests.flatMap((one) => {
    const read = readTest(one)
    return read ? [{ words: OPS[read.op].words, values: read.values }] : []
  })
}
