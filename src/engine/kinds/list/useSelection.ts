import { useState } from 'react'
import type { Row } from '../../core/results.ts'

/** The selected rows of a list, including those on other pages. */
export interface Selection {
  rows: Row[]
  has: (row: Row) => boolean
  /** Selects or deselects rows. */
  toggle: (rows: Row[], on: boolean) => void
  clear: () => void
}

/** The selected rows of a list; cleared when its filters (`of`) change. */
export function useSelection(of: string): Selection {
  const [rows, setRows] = useState<Row[]>([])
  const [before, setBefore] = useState(of)
  if (before !== of) {
    setBefore(of)
    setRows([])
  }
  return {
    rows,
    has: ({ id }) => rows.some((row) => row.id === id),
    toggle: (changed, on) => {
      const ids = changed.map(({ id }) => id)
      // Use the current state: a batch call deselects its rows at its end, and rows selected meanwhile stay.
      setRows((now) => {
        const others = now.filter(({ id }) => !ids.includes(id))
        return on ? [...others, ...changed] : others
      })
    },
    clear: () => setRows([]),
  }
}

/** Unique name of a row, from its naming field and its id: 'Ann Smith 12', or the id alone. */
export function uniqueName({ id, ...row }: Row, field: string): string {
  return field === 'id' ? String(id) : `${row[field] ?? ''} ${id}`.trim()
}
