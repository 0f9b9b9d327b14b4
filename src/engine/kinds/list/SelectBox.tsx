import type { Row } from '../../core/results.ts'
import type { Selection } from './useSelection.ts'

interface Props {
  label: string
  selection: Selection
  rows: Row[]
}

/** A checkbox that selects a row, or all rows of a page. */
export function SelectBox({ label, selection, rows }: Props) {
  const ticked = rows.filter(selection.has).length
  const isAll = ticked > 0 && ticked === rows.length
  return (
    <input
      type="checkbox"
      aria-label={label}
      ref={(box) => {
        if (box) box.indeterminate = ticked > 0 && !isAll
      }}
      checked={isAll}
      onChange={() => selection.toggle(rows, !isAll)}
    />
  )
}
