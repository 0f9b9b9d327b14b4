import { suggest } from '../suggest.ts'
import { fieldProblem, type Shape } from './fields.ts'
import { pathProblem } from './paths.ts'
import type { Path, Report } from './report.ts'

/** What `{placeholders}` of a text or an address are filled from. */
export interface Filling {
  /** Parts of the address, fixed ones too. */
  params?: string[]
  records?: (Shape | undefined)[]
  with?: Record<string, Shape>
}

/** Reports `{placeholders}` that nothing fills. */
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

/** What is wrong with one placeholder's name; undefined where nothing is. */
export function placeholderProblem(
  name: string,
  { params = [], records = [], ...filling }: Filling,
): string | undefined {
  if (name.startsWith('with.')) return pathProblem(name, filling)
  if (params.includes(name)) return undefined
  const shapes = records.filter((shape) => shape !== undefined)
  if (shapes.some((shape) => fieldProblem(shape, name.split('.')) === undefined)) return undefined
  const known = [...params, ...shapes.flatMap(({ fields }) => Object.keys(fields ?? {}))]
  return `nothing fills '{${name}}'${suggest(name, known)}`
}
