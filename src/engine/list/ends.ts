import type { DrawnColumn } from '../cells/columns.ts'

/** Whether a column is set flush right, so that digits stand below each other. */
export function isEnd({ as }: DrawnColumn): boolean {
  return as === 'number' || as === 'hours'
}
