import { type RefObject, useEffect } from 'react'
import { isPageShortcut } from '../runtime/shortcuts.ts'

const STEPS: Record<string, number> = { j: 1, k: -1 }

/** j and k move among the links of the rows, so that Enter opens one; x ticks a row; / goes to the filters. */
export function useRowShortcuts(table: RefObject<HTMLTableElement | null>, toFilters?: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isPageShortcut(event)) return
      if (event.key === '/' && toFilters) {
        event.preventDefault()
        toFilters()
      } else if (event.key === 'x') tick()
      else if (event.key in STEPS) move(table.current, STEPS[event.key])
    }
    // Before the page's own keys: a list that has filters takes / for them.
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [table, toFilters])
}

/** Ticks the row that has the focus, or takes the tick off. */
function tick(): void {
  document.activeElement?.closest('tbody tr')?.querySelector<HTMLElement>('.list-select input')?.click()
}

function move(table: HTMLTableElement | null, step: number): void {
  const rows = [...(table?.querySelectorAll<HTMLElement>('tbody tr:not(.list-group)') ?? [])]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const row = rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step]
  row?.querySelector<HTMLElement>('a, button')?.focus()
}
