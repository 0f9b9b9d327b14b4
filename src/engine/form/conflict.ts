import { isAxiosError } from 'axios'
import type { Values } from '../../contract/when.ts'

/** A field that others changed meanwhile: what it was, what both made of it, who did it and when (ISO). */
export interface FieldConflict {
  base: unknown
  mine: unknown
  theirs: unknown
  by?: string
  at?: string
}
/** The fields that both changed, by dotted path, and the record as it is now. */
export interface Conflict {
  fields: Record<string, FieldConflict>
  current: Values
}

/** The conflict that a 409 tells of; undefined where a call failed for another reason. */
export function conflictOf(error: unknown): Conflict | undefined {
  if (!isAxiosError(error) || error.response?.status !== 409) return undefined
  const { code, fields, current } = (error.response.data ?? {}) as Partial<Conflict> & { code?: string }
  return code === 'conflict' && fields && current ? { fields, current } : undefined
}
