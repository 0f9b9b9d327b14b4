/** What two people are compared by, in any spelling; empty texts count as unknown. */
export interface Person {
  first_name?: string | null
  last_name?: string | null
  known_as?: string | null
  /** YYYY-MM-DD. */
  dob?: string | null
  nhs_number?: string | null
  phone?: string | null
  mobile?: string | null
  postcode?: string | null
}

/** The names of what a person is compared by. */
export const PERSON_KEYS = [
  'first_name',
  'last_name',
  'known_as',
  'dob',
  'nhs_number',
  'phone',
  'mobile',
  'postcode',
] as const satisfies (keyof Person)[]

/** The person in a record or body with further values, or values of other types. */
export function personIn(record: Record<string, unknown>): Person {
  const texts = PERSON_KEYS.flatMap((key) => {
    const value = record[key]
    return typeof value === 'string' && value.trim() !== '' ? [[key, value.trim()]] : []
  })
  return Object.fromEntries(texts)
}
