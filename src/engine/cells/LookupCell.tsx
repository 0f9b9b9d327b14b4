import { formatWeek, weekOf } from '../../contract/week.ts'
import type { CellProps } from './cell.ts'
import { useLabels } from './labels.ts'

/** What the chosen ids are called; nothing while their names are being read. Half days are put together. */
export function LookupCell({ value, property }: CellProps) {
  const labels = useLabels(property, value)
  const week = Array.isArray(value) && property.options && weekOf(property.options as never)
  return week ? formatWeek(week, value) : labels.join(', ')
}
