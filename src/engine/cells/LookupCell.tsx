import type { CellProps } from './cell.ts'
import { useLabels } from './labels.ts'

/** What the chosen ids are called; nothing while their names are being read. */
export function LookupCell({ value, property }: CellProps) {
  return useLabels(property, value).join(', ')
}
