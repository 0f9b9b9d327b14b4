import { isOtherPath, type Literal, operandsOf, type Test, type When } from '../when.ts'

/** Every test of a condition with the path that it looks at, also those of alternatives. */
export function* testsOf(when: When | undefined): Generator<[string, Test]> {
  for (const [path, test] of Object.entries(when ?? {})) {
    if (path !== 'any') yield [path, test as Test]
    else for (const one of test as When[]) yield* testsOf(one)
  }
}

/** The values that a test names. */
export function literalsOf(test: Test): Literal[] {
  return operandsOf(test).filter((one) => !isOtherPath(one)) as Literal[]
}

/** Whether a test looks at no field yet, or compares it with no value yet. */
export function isUnfinished(path: string, test: Test): boolean {
  if (path === '') return true
  const operands = operandsOf(test)
  const isOpen = operands.some((one) => (isOtherPath(one) ? one.path : one) === '')
  return (operands.length === 0 || isOpen) && !isOnlySet(test)
}

function isOnlySet(test: Test): boolean {
  return test !== null && typeof test === 'object' && !Array.isArray(test) && 'set' in test
}
