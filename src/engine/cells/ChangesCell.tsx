import { loadable } from '../page/loadable.tsx'
import type { CellProps } from './cell.ts'

// Few lists are about what was changed.
const Changes = loadable(() => import('./Changes.tsx'))

/** What was changed from what to what; those who may can put each value back. */
export function ChangesCell({ value, row }: CellProps) {
  return Array.isArray(value) && value.length > 0 ? <Changes changes={value} row={row} /> : null
}
