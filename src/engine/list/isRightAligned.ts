import type { RenderedColumn } from '../cells/columns.ts'

/** Whether a column is set flush right, so that digits stand below each other. */
export function isRightAligned({ as }: RenderedColumn): boolean {
  return as === 'number' || as === 'hours'
}
