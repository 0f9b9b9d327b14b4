import type { Literal, Test, When } from '../when.ts'

/** Every test of a condition with the path that it looks at, also those of alternatives. */
export function* testsOf(when: When | undefined): Generator<[string, Test]> {
  for (const [path, test] of Object.entries(when ?? {})) {
    if (path !== 'any') yield [path, test as Test]
    else for (const one of test as When[]) yield* testsOf(one)
  }
}

/** The values that a test names. */
export function literalsOf(test: Test): Literal[] {
  if (Array.isArray(test)) return test
  if (test === null || typeof test !== 'object') return [test]
  const { not, min, max } = test
  return [not ?? [], min ?? [], max ?? []].flat()
}

/** Whether a test looks at no field yet, or compares it with no value yet. */
export function isUnfinished(path: string, test: Test): boolean {
  if (path === '') return true
  const literals = literalsOf(test)
  return (literals.length === 0 || literals.includes('')) && !isOnlySet(test)
}

function isOnlySet(test: Test): boolean {
  return test !== null && typeof test === 'object' && !Array.isArray(test) && test.set !== undefined
}
