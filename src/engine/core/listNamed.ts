import type { Lookups } from '../../contract/generated.ts'

/** The key of the lookup for a name: the key itself, or its singular, by which a parameter refers to an item. */
export function listNamed(lookups: Lookups, name: string): string | undefined {
  return [name, `${name}s`].find((key) => Object.hasOwn(lookups, key))
}
