import type { Lookup } from './generated.ts'

/** A lookup's call answers no more choices than this at once. */
export const LOOKUP_LIMIT = 2000
/** The response header of a lookup's call that says how many choices match. */
export const TOTAL_COUNT = 'X-Total-Count'

interface LookupParameter {
  description: string
  type: 'integer' | 'string' | 'boolean'
  /** May be repeated, and then means any of its values. */
  isRepeatable?: boolean
}

/** The query parameters that a lookup's call takes, by name. */
export function lookupParameters({ by = [] }: Lookup): Record<string, LookupParameter> {
  const narrowing = by.map((name) => [
    name,
    { description: `Narrows the list by ${name}.`, type: 'string', isRepeatable: true },
  ])
  return {
    ...Object.fromEntries(narrowing),
    id: {
      description: 'Only these choices, retired ones too; at most 500.',
      type: 'integer',
      isRepeatable: true,
    },
    term: {
      description: `Only choices whose label has every word of it; needed to reach all of a list of more than ${LOOKUP_LIMIT}.`,
      type: 'string',
    },
    active: { description: 'false includes retired choices, sorted last.', type: 'boolean' },
  }
}
