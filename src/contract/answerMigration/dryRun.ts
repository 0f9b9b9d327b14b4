import type { AnsweredForms } from '../answerFilter.ts'

/** A value that occurs, and what becomes of it: undefined if it does not fit, null if no answer is left. */
export interface OccurringValue {
  value: unknown
  count: number
  by?: 'same' | 'table'
  is?: unknown
}

export interface TriedMove {
  meta: keyof AnsweredForms
  name: string
  from: string
  same: number
  table: number
  look: number
  /** The values that occur, the most frequent first; several fields that take them share these. */
  values: OccurringValue[]
  /** Number of further values. */
  more: number
}

export interface RecordToLookAt {
  entity: 'case' | 'issue'
  id: number
  case: number
  client_name?: string
  meta: keyof AnsweredForms
  /** Names of the fields that take this answer over. */
  names: string[]
  value: unknown
}

/** What a publication would do with the stored answers, as the server has tried it. */
export interface DryRun {
  records: number
  answers: number
  same: number
  table: number
  look: number
  moves: TriedMove[]
  to_look_at: RecordToLookAt[]
  at: string
}
