import { isAxiosError } from 'axios'
import type { Values } from '../../../contract/when.ts'

/** Values of a field in conflict: as loaded, our change and theirs, with who saved theirs and when (ISO). */
export interface FieldConflict {
  base: unknown
  mine: unknown
  theirs: unknown
  by?: string
  at?: string
}
/** A conflict on saving: the fields that both changed, by dotted path, and the current record. */
export interface Conflict {
  fields: Record<string, FieldConflict>
  current: Values
}

/** The conflict in a 409 response; undefined for any other error. */
export function conflictOf(error: unknown): Conflict | undefined {
  if (!isAxiosError(error) || error.response?.status !== 409) return undefined
  const { code, fields, current } = (error.response.data ?? {}) as Partial<Conflict> & { code?: string }
  return code === 'conflict' && fields && current ? { fields, current } : undefined
}
