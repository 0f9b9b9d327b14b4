import { type RefObject, useEffect } from 'react'
import { rowsOf } from '../../core/nextRow.ts'
import { isPageShortcut } from '../../core/shortcuts.ts'

const STEPS: Record<string, number> = { j: 1, k: -1 }

/** Selectors of the button that an arrow key presses: right opens what a row has below itself, left closes it. */
const TWISTS: Record<string, string> = {
  ArrowRight: '.list-expand[aria-expanded="false"]',
  ArrowLeft: '.list-expand[aria-expanded="true"]',
}

/**
 * Shortcuts of a list: j and k move the focus among the links of its rows, so that Enter opens one; the arrows open and
 * close what a row has below itself; x selects a row, `/` focuses the filters, and actions have their own keys. Of
 * several lists on a page, only the focused one, else the first one, handles keys.
 */
export function useRowShortcuts(list: RefObject<HTMLElement | null>, toFilters?: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!list.current || list.current !== activeList() || !isPageShortcut(event)) return
      if (runShortcut(list.current, event.key, toFilters)) event.preventDefault()
    }
    // In the capture phase, before the page's shortcuts: a list with filters handles '/'.
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [list, toFilters])
}

function activeList(): Element | null {
  return document.activeElement?.closest('.list') ?? document.querySelector('.list')
}

/** Runs the shortcut of a key; returns false if it has none. */
function runShortcut(list: Element, key: string, toFilters?: () => void): boolean {
  if (key === '/' && toFilters) {
    toFilters()
    return true
  }
  if (key in STEPS) return move(list, STEPS[key])
  if (key in TWISTS) return press(TWISTS[key])
  return /^[a-z]$/.test(key) && press(key === 'x' ? '.list-select input' : `[data-key="${key}"]`)
}

/** Clicks a control of the focused row. */
function press(control: string): boolean {
  const row = document.activeElement?.closest('.list-table tbody tr')
  const target = row?.querySelector<HTMLElement>(control)
  target?.click()
  return Boolean(target)
}

function move(list: Element, step: number): boolean {
  const rows = rowsOf(list.querySelector('.list-table'))
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const row = rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step]
  // Prefer the link: Enter on it opens the row, but on a button it runs an action.
  const target = row?.querySelector<HTMLElement>('a') ?? row?.querySelector<HTMLElement>('button')
  target?.focus()
  return Boolean(target)
}
