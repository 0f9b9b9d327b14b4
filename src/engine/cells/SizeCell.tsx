import type { CellProps } from './cell.ts'

const KILO = 1024

/** A size in bytes as '340 KB' or '2.4 MB'. */
export function SizeCell({ value }: CellProps) {
  if (typeof value !== 'number') return null
  return value < KILO * KILO
    ? `${Math.max(1, Math.round(value / KILO))} KB`
    : `${(value / KILO / KILO).toFixed(1)} MB`
}
