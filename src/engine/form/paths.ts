import { getIn, type Values } from '../../contract/when.ts'

/** The value at a dotted path of a document; '' is the document itself. */
export function getAt(document: unknown, path: string): unknown {
  return path === '' ? document : getIn(document, path.split('.'))
}

/** A copy with another value at a dotted path; undefined takes the key away. What lies beside the path is shared. */
export function setAt<T>(document: T, path: string, value: unknown): T {
  return put(document, path.split('.'), value) as T
}

/** A dotted path of its parts; empty parts are left out. */
export function join(...parts: (string | number)[]): string {
  return parts.filter((part) => part !== '').join('.')
}

/** The path of what holds the value at a path. */
export function parentOf(path: string): string {
  return path.split('.').slice(0, -1).join('.')
}

/** Whether a path is another one or lies below it. */
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

/** Paths after a row went: those of later rows move up. */
export function afterRemove(paths: Set<string>, path: string, index: number): Set<string> {
  const moved = [...paths].flatMap((one) => {
    if (!one.startsWith(`${path}.`)) return one
    const [row, ...rest] = one.slice(path.length + 1).split('.')
    if (Number(row) === index) return []
    return [path, Number(row) > index ? Number(row) - 1 : row, ...rest].join('.')
  })
  return new Set(moved)
}

/** An id of a new row, unique as long as the list is on the page. */
export function newRowId(): string {
  return Math.random().toString(36).slice(2, 10)
}
