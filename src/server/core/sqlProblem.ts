import { DatabaseError } from 'pg'
import { StartProblem } from './startProblem.ts'

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

/** True for a transient error: another session held a lock. */
export function isBusy(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === LOCK_NOT_AVAILABLE || code === DEADLOCK
}

/** A StartProblem with file and line for an SQL error in a file; `offset`: characters that were sent before its SQL. */
export function sqlProblem(
  { path, sql }: { path: string; sql: string },
  error: unknown,
  { offset = 0, fate = 'Nothing of this file was applied.' } = {},
): StartProblem {
  const position = error instanceof DatabaseError ? Number(error.position ?? 0) - offset : 0
  const line = position > 0 ? `:${sql.slice(0, position).split('\n').length}` : ''
  return new StartProblem(`${path}${line}: ${(error as Error).message}. ${fate}`)
}
