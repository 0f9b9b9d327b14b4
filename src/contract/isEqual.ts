import type { Values } from './when.ts'

/** Deep equality of two JSON values. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  const [keys, others] = [Object.keys(a), Object.keys(b)]
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== others.length) return false
  return keys.every((key) => Object.hasOwn(b, key) && isEqual((a as Values)[key], (b as Values)[key]))
}
