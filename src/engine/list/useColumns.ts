import { useState } from 'react'
import type { RenderedColumn } from '../cells/columns.ts'
import { useUser } from '../runtime/user.ts'
import type { ListStateControls } from './useListState.ts'

/** The columns that a list shows, and a way to choose others. */
interface ColumnChoice {
  columns: RenderedColumn[]
  /** Shows columns by their fields, in that order; undefined: those of the screen again. */
  choose: (fields: string[] | undefined) => void
}

/**
 * Which columns a list shows: those of its address, else those that this person chose for it in this browser, else
 * those of the screen. What is chosen in a saved view is a change of that view, and stands in the address.
 */
export function useColumns(
  name: string,
  all: RenderedColumn[],
  { state, showColumns }: ListStateControls,
  /** Whether the address is that of this list, not of another one above it. */
  isInAddress: boolean,
  canChoose: boolean,
): ColumnChoice {
  const { id } = useUser()
  const inAddress = isInAddress ? state.columns : undefined
  const key = `columns.${id}.${name}`
  const [remembered, setRemembered] = useState(() => localStorage.getItem(key)?.split(','))
  const remember = (fields: string[] | undefined) => {
    if (fields) localStorage.setItem(key, fields.join())
    else localStorage.removeItem(key)
    setRemembered(fields)
    if (inAddress) showColumns(null)
  }
  return {
    columns: shownColumns(all, canChoose ? (inAddress ?? remembered) : undefined),
    choose: (fields) => {
      if (state.view === undefined || !isInAddress) remember(fields)
      else showColumns(fields ?? shownColumns(all, undefined).map(({ field }) => field))
    },
  }
}

/** The first column, by which rows are known, and the chosen ones in their order; columns that there are not are ignored. */
function shownColumns(all: RenderedColumn[], chosen: string[] | undefined): RenderedColumn[] {
  const [first, ...others] = all
  if (!chosen) return all.filter(({ shown }) => shown !== false)
  const named = [...new Set(chosen)].flatMap((field) => others.find((one) => one.field === field) ?? [])
  return [first, ...named]
}
