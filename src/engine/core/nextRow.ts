/** Moves the focus from a control of a table's row to the same one of the next row, else of the previous row. */
export function focusNextRow(control: HTMLElement | null): void {
  const row = control?.closest('tr')
  const rows = rowsOf(row?.closest('table'))
  const at = row ? rows.indexOf(row) : -1
  const next = rows[at + 1] ?? rows[at - 1]
  if (!next || !control) return
  const { key } = control.dataset
  const same = key && next.querySelector<HTMLElement>(`[data-key="${key}"]`)
  const target = same || next.querySelector<HTMLElement>('a, button')
  target?.focus()
}

/** The rows of a table without the headings of groups, and without what rows have opened below themselves. */
export function rowsOf(table?: Element | null): HTMLTableRowElement[] {
  const rows = ':scope > tbody > tr:not(.list-group, .list-opened)'
  return [...(table?.querySelectorAll<HTMLTableRowElement>(rows) ?? [])]
}
