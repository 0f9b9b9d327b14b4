import type { Field } from './generated.ts'

/** Records outside of a form whose values it can name: the client, the case of an issue, the last record before this. */
export const SOURCES = ['client', 'case', 'last'] as const
export type Source = (typeof SOURCES)[number]

/** Most values from outside that one form names. */
export const MAX_SEEN_VALUES = 40

/** A value from outside of a form, as it is stored with the record that was filled in with it. */
export interface SeenValue {
  value: unknown
  /** Id of the client, case or issue that has the value. */
  record?: number
  /** YYYY-MM-DD: of the last record its own day, else the day on which the value was read. */
  day?: string
  /** The person may not see the record that has the value, which is left out. */
  isWithheld?: true
}

/** Values from outside by their paths ('$client.dob'). */
export type SeenValues = Record<string, SeenValue>

/** The values from outside that a record was filled in with. */
export interface Seen {
  values: SeenValues
  /** The fields at the paths. */
  fields: ReadonlyMap<string, Field>
}

/** The record that a path leads to ('client' of '$client.dob'); undefined for a path within the form. */
export function sourceOfPath(path: string): Source | undefined {
  const [head, name] = path.split('.', 2)
  return name && head.startsWith('$') ? SOURCES.find((source) => head === `$${source}`) : undefined
}

/** The name of the field that a path begins with: '$client.dob' or 'phone', without the parts of its value. */
export function fieldOfPath(path: string): string {
  return path
    .split('.')
    .slice(0, sourceOfPath(path) ? 2 : 1)
    .join('.')
}
