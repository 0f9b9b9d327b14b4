import type { Property } from '../../contract/generated.ts'
import { suggest } from '../../contract/suggest.ts'
import { comparisonProblem, testProblem } from '../../contract/valueProblem.ts'
import { isRoot, otherPathsOf, ROOTS, type Test, type When } from '../../contract/when.ts'
import type { Path, Report } from '../files/report.ts'
import { fieldProblem, propertyAt, type Shape } from './fields.ts'

/** The shapes that paths of a screen can refer to, by root; a missing root is not available there. */
export interface Reach {
  /** Fields of the form itself, which bare paths name; omitted: there is no form. */
  answers?: Shape
  record?: Shape
  form?: Shape
  user?: Shape
  query?: Shape
  with?: Record<string, Shape>
}

/** The roots of paths in files; that of deadlines is for the automations of case types. */
export const FILE_ROOTS = ROOTS.filter((root) => root !== 'deadline')

/** A record whose shape is known only at run time. */
export const ANYTHING: Shape = { name: 'this' }

/** Error of a path such as 'record.status' or 'with.caseType.issue_meta'; undefined if it is valid. */
export function pathProblem(path: string, reach: Reach): string | undefined {
  const [head, ...rest] = path.split('.')
  if (head === 'with') {
    const [name, ...keys] = rest
    const known = reach.with ?? {}
    const shape = name !== undefined && Object.hasOwn(known, name) ? known[name] : undefined
    return shape
      ? fieldProblem(shape, keys)
      : `no '${name ?? ''}' under 'with'${suggest(name ?? '', Object.keys(known))}`
  }
  if (isRoot(head)) {
    const shape = reach[head as 'record' | 'form' | 'user' | 'query']
    return shape ? fieldProblem(shape, rest) : `there is no '${head}' here`
  }
  if (reach.answers) return fieldProblem(reach.answers, [head, ...rest])
  return `a path begins with ${FILE_ROOTS.join(', ')}; no '${head}' here${suggest(head, FILE_ROOTS)}`
}

export function checkPath(path: string, reach: Reach, at: Path, report: Report): void {
  const problem = pathProblem(path, reach)
  if (problem) report(at, problem)
}

/** Reports paths of a condition that lead nowhere, and values that can never be at their path. */
export function checkWhen(when: When | undefined, reach: Reach, at: Path, report: Report): void {
  for (const [path, test] of Object.entries(when ?? {})) {
    if (path === 'any') {
      for (const [i, one] of (test as When[]).entries()) checkWhen(one, reach, [...at, 'any', i], report)
      continue
    }
    const others = otherPathsOf(test as Test)
    const wrong = [path, ...others].map((one) => pathProblem(one, reach)).find((one) => one !== undefined)
    const problem = wrong ?? conditionProblem(path, test as Test, others, reach)
    if (problem) report([...at, path], problem)
  }
}

/** Error of the values, and of the other paths, that a valid path is compared with. */
function conditionProblem(path: string, test: Test, others: string[], reach: Reach): string | undefined {
  const property = propertyOf(path, reach)
  if (!property) return undefined
  const [name] = path.split('.').slice(-1)
  const problem = testProblem(name, property, test)
  if (problem) return problem
  for (const other of others) {
    const compared = propertyOf(other, reach)
    const mismatch = compared && comparisonProblem([name, property], [other.split('.').at(-1)!, compared])
    if (mismatch) return mismatch
  }
  return undefined
}

/** The property that a valid path leads to; undefined if it is known only at run time. */
function propertyOf(path: string, reach: Reach): Property | undefined {
  const [head, ...rest] = path.split('.')
  if (head === 'with') return propertyAt(reach.with?.[rest[0]] ?? ANYTHING, rest.slice(1))
  if (isRoot(head)) return propertyAt(reach[head as 'record' | 'form' | 'user' | 'query'] ?? ANYTHING, rest)
  return propertyAt(reach.answers ?? ANYTHING, [head, ...rest])
}
