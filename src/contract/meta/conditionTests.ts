import {
  isOtherPath,
  isRowsTest,
  type Literal,
  operandsOf,
  type RowsTest,
  rowConditionsOf,
  type Test,
  type When,
} from '../when.ts'

/** Every test of a condition with its path, including those of alternatives. */
export function* testsOf(when: When | undefined): Generator<[string, Test]> {
  for (const [path, test] of Object.entries(when ?? {})) {
    if (path !== 'any') yield [path, test as Test]
    else for (const one of test as When[]) yield* testsOf(one)
  }
}

export function literalsOf(test: Test): Literal[] {
  return operandsOf(test).filter((one) => !isOtherPath(one)) as Literal[]
}

/** True if a test still lacks its field or the value to compare with. */
export function isUnfinished(path: string, test: Test): boolean {
  if (path === '') return true
  if (isRowsTest(test)) {
    const { count_rows, min, max, not } = test as RowsTest & Record<string, unknown>
    if (count_rows && [min, max, not].every((bound) => bound === undefined || bound === '')) return true
    return rowConditionsOf(test).some((when) => [...testsOf(when)].some(([at, one]) => isUnfinished(at, one)))
  }
  const operands = operandsOf(test)
  const isOpen = operands.some((one) => (isOtherPath(one) ? one.path : one) === '')
  return (operands.length === 0 || isOpen) && !isOnlySet(test)
}

function isOnlySet(test: Test): boolean {
  return test !== null && typeof test === 'object' && !Array.isArray(test) && 'set' in test
}
