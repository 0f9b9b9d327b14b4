import type { Lookups } from '../../contract/generated.ts'

/** The key of the list that a name means: its own, or of a parameter that of the list whose items it takes. */
export function listNamed(lookups: Lookups, name: string): string | undefined {
  return [name, `${name}s`].find((key) => Object.hasOwn(lookups, key))
}
