import { suggest } from '../../contract/suggest.ts'
import type { Path, Report } from '../files/report.ts'
import { fieldProblem, type Shape } from './fields.ts'
import { pathProblem } from './paths.ts'

/** Sources of the `{placeholders}` in a text or an address. */
export interface Filling {
  /** Path parameters of the address, including fixed ones. */
  params?: string[]
  records?: (Shape | undefined)[]
  with?: Record<string, Shape>
}

export function checkPlaceholders(
  text: string | undefined,
  filling: Filling,
  at: Path,
  report: Report,
): void {
  for (const [, name] of (text ?? '').matchAll(/\{([\w.]+)\}/g)) {
    const problem = placeholderProblem(name, filling)
    if (problem) report(at, problem)
  }
}

/** Error of the name of one placeholder; undefined if it is valid. */
export function placeholderProblem(
  name: string,
  { params = [], records = [], ...filling }: Filling,
): string | undefined {
  if (name.startsWith('with.')) return pathProblem(name, filling)
  if (params.includes(name)) return undefined
  const shapes = records.filter((shape) => shape !== undefined)
  if (shapes.some((shape) => fieldProblem(shape, name.split('.')) === undefined)) return undefined
  const known = [...params, ...shapes.flatMap(({ fields }) => Object.keys(fields ?? {}))]
  return `there is no value for '{${name}}'${suggest(name, known)}`
}
