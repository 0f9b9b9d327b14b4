import { statusLabels } from '../../contract/lifespan.ts'
import { formatWeek, weekOf } from '../../contract/week.ts'
import { useLabels } from '../core/labels.ts'
import type { CellProps } from './cell.ts'

/** The labels of the selected ids; nothing while they are loading. Both halves of a day are joined. */
export function LookupCell({ value, property, row }: CellProps) {
  const labels = statusLabels(property, useLabels(property, value), row)
  const week = Array.isArray(value) && property.options && weekOf(property.options as never)
  return week ? formatWeek(week, value) : labels.join(', ')
}
