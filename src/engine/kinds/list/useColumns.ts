import { useState } from 'react'
import type { RenderedColumn } from '../../cells/columns.ts'
import { browserStorage } from '../../core/browserStorage.ts'
import { useUser } from '../../core/user.ts'
import type { ListStateControls } from './state/useListState.ts'

/** The visible columns of a list, and a function to choose others. */
interface ColumnChoice {
  columns: RenderedColumn[]
  /** Sets the visible columns by their fields, in that order; undefined resets them to those of the screen. */
  choose: (fields: string[] | undefined) => void
}

/**
 * The visible columns of a list: those in the URL, else those that the user chose in this browser, else those of the
 * screen. A choice in a saved view changes that view, so it goes into the URL.
 */
export function useColumns(
  name: string,
  all: RenderedColumn[],
  { state, showColumns }: ListStateControls,
  /** True if the URL has the state of this list, not of another one above it. */
  isInAddress: boolean,
  canChoose: boolean,
): ColumnChoice {
  const { id } = useUser()
  const inAddress = isInAddress ? state.columns : undefined
  const key = `columns.${id}.${name}`
  const [remembered, setRemembered] = useState(() => browserStorage.get(key)?.split(','))
  const remember = (fields: string[] | undefined) => {
    browserStorage.set(key, fields?.join() ?? null)
    setRemembered(fields)
    if (inAddress) showColumns(null)
  }
  return {
    columns: visibleColumns(all, canChoose ? (inAddress ?? remembered) : undefined),
    choose: (fields) => {
      if (state.view === undefined || !isInAddress) remember(fields)
      else showColumns(fields ?? visibleColumns(all, undefined).map(({ field }) => field))
    },
  }
}

/** The first column, which identifies rows, and the chosen ones in their order; unknown columns are ignored. */
function visibleColumns(all: RenderedColumn[], chosen: string[] | undefined): RenderedColumn[] {
  const [first, ...others] = all
  if (!chosen) return all.filter(({ shown }) => shown !== false)
  const named = [...new Set(chosen)].flatMap((field) => others.find((one) => one.field === field) ?? [])
  return [first, ...named]
}
