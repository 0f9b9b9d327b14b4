import type { Contract } from '../../contract/contract.ts'
import type { Parameter } from '../../contract/generated.ts'
import { ME, NONE } from '../../contract/listFilters.ts'
import { relativeDay } from '../../contract/relativeDay.ts'
import { suggest } from '../../contract/suggest.ts'

const LIKE: Record<Parameter['type'], { fits: (text: string) => boolean; words: string }> = {
  string: { fits: () => true, words: 'a text' },
  integer: { fits: (text) => /^-?\d{1,9}$/.test(text), words: 'a whole number' },
  boolean: { fits: (text) => /^(true|false)$/.test(text), words: 'true or false' },
  date: {
    fits: (text) => relativeDay(text, '2026-01-31') !== undefined,
    words: "a date like 2026-01-31, 'today' or '-7d'",
  },
}

/** Lookups whose items are part of the contract, by name. */
const LISTED: Record<string, (contract: Contract) => string[]> = {
  role: ({ roles }) => roles.roles.map(({ id }) => String(id)),
}

/** Error of a value, or of several between commas, that a screen gives to a parameter of a call. */
export function parameterProblem(
  contract: Contract,
  name: string,
  { type, match, lookup = '', options }: Parameter,
  text: string,
): string | undefined {
  const { fits, words } = LIKE[type]
  const known = options?.map(({ value }) => String(value)) ?? LISTED[lookup]?.(contract)
  const isSpecial = (value: string) =>
    (value === NONE && match === 'is') || (value === ME && lookup === 'staff')
  for (const value of text.split(',')) {
    if (isSpecial(value)) continue
    if (!options && !fits(value)) return `'${value}' must be ${words}`
    if (known && !known.includes(value))
      return `'${value}' is not one of the options of '${name}'${suggest(value, known)}`
  }
  return undefined
}
