import { getIn, type Values } from '../../../contract/when.ts'

/** The value at a dotted path of a document; '' is the document itself. */
export function getAt(document: unknown, path: string): unknown {
  return path === '' ? document : getIn(document, path.split('.'))
}

/**
 * A copy with another value at a dotted path; undefined removes the key. Unchanged parts are shared with the original.
 */
export function setAt<T>(document: T, path: string, value: unknown): T {
  return put(document, path.split('.'), value) as T
}

/** Joins parts to a dotted path, leaving out empty ones. */
export function join(...parts: (string | number)[]): string {
  return parts.filter((part) => part !== '').join('.')
}

/** The path without its last part. */
export function parentOf(path: string): string {
  return path.split('.').slice(0, -1).join('.')
}

/** True if a path equals another one or is below it. */
export function isWithin(path: string, other: string): boolean {
  return path === other || other === '' || path.startsWith(`${other}.`)
}

function put(from: unknown, [key, ...rest]: string[], value: unknown): unknown {
  const next = rest.length > 0 ? put(getIn(from, [key]), rest, value) : value
  if (Array.isArray(from)) return from.with(Number(key), next)
  if (next !== undefined) return { ...(from as Values), [key]: next }
  const { [key]: _, ...others } = (from ?? {}) as Values
  return others
}

/** Updates paths after a row was removed: those in the row are dropped, indexes of later rows decrease. */
export function afterRemove(paths: Set<string>, path: string, index: number): Set<string> {
  const moved = [...paths].flatMap((one) => {
    if (!one.startsWith(`${path}.`)) return one
    const [row, ...rest] = one.slice(path.length + 1).split('.')
    if (Number(row) === index) return []
    return [path, Number(row) > index ? Number(row) - 1 : row, ...rest].join('.')
  })
  return new Set(moved)
}

/** A random id for a new row, unique within its list. */
export function newRowId(): string {
  return Math.random().toString(36).slice(2, 10)
}
