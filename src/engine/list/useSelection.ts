import { useState } from 'react'
import type { Row } from './results.ts'

/** The rows of a list that are ticked, also those of other pages. */
export interface Selection {
  rows: Row[]
  has: (row: Row) => boolean
  /** Ticks rows, or takes the ticks off. */
  toggle: (rows: Row[], on: boolean) => void
  clear: () => void
}

/** Ticked rows of a list; they are of its present filters (`of`), and gone with them. */
export function useSelection(of: string): Selection {
  const [{ rows, of: before }, setTicked] = useState({ rows: [] as Row[], of })
  const now = before === of ? rows : []
  const set = (next: Row[]) => setTicked({ rows: next, of })
  return {
    rows: now,
    has: ({ id }) => now.some((row) => row.id === id),
    toggle: (changed, on) => {
      const ids = changed.map(({ id }) => id)
      const others = now.filter(({ id }) => !ids.includes(id))
      set(on ? [...others, ...changed] : others)
    },
    clear: () => set([]),
  }
}

/** What a row is called among others of the same name, by the field that it is known by: 'Ann Smith 12', or its id alone. */
export function uniqueName({ id, ...row }: Row, field: string): string {
  return field === 'id' ? String(id) : `${row[field] ?? ''} ${id}`.trim()
}
