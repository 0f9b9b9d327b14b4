import { loadable } from '../core/loadable.tsx'
import type { CellProps } from './cell.ts'

// Lazy: few lists show changes.
const Changes = loadable(() => import('./Changes.tsx'))

/** The changed fields with old and new values; users who may can restore each old value. */
export function ChangesCell({ value, row }: CellProps) {
  return Array.isArray(value) && value.length > 0 ? <Changes changes={value} row={row} /> : null
}
