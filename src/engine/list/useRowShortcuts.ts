import { type RefObject, useEffect } from 'react'
import { rowsOf } from '../page/nextRow.ts'
import { isPageShortcut } from '../runtime/shortcuts.ts'

const STEPS: Record<string, number> = { j: 1, k: -1 }

/** j and k move among the links of the rows, so that Enter opens one; x selects a row, actions have keys of their own; / goes to the filters. */
export function useRowShortcuts(table: RefObject<HTMLTableElement | null>, toFilters?: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isPageShortcut(event)) return
      if (event.key === '/' && toFilters) {
        event.preventDefault()
        toFilters()
      } else if (event.key === 'x') select()
      else if (event.key in STEPS) move(table.current, STEPS[event.key])
      else if (act(event.key)) event.preventDefault()
    }
    // Before the page's own keys: a list that has filters takes / for them.
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [table, toFilters])
}

/** Does what a key stands for in the row that has the focus; answers whether there is such a thing. */
function act(key: string): boolean {
  if (!/^[a-z]$/.test(key)) return false
  const row = document.activeElement?.closest('.list-table tbody tr')
  const control = row?.querySelector<HTMLElement>(`[data-key="${key}"]`)
  control?.click()
  return control !== null && control !== undefined
}

/** Selects the row that has the focus, or takes that back. */
function select(): void {
  document.activeElement?.closest('tbody tr')?.querySelector<HTMLElement>('.list-select input')?.click()
}

function move(table: HTMLTableElement | null, step: number): void {
  const rows = rowsOf(table)
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const row = rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step]
  // Enter on a link opens the row; on a button it would do something.
  const target = row?.querySelector<HTMLElement>('a') ?? row?.querySelector<HTMLElement>('button')
  target?.focus()
}
