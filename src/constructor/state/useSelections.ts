import { useState } from 'react'
import type { Group } from '../../contract/generated.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import { addressesIn, itemAt } from './address.ts'
import type { Selection } from './editorContext.ts'

type Pane = 'structure' | 'settings' | 'preview'

const NARROW = '(max-width: 640px)'
const NOTHING: Selection = { address: [] }

/** The form and the pane that are open, and what is selected in each form. */
export function useSelections() {
  const [meta, setMeta] = useState<MetaName>('case_meta')
  const [selections, setSelections] = useState<Partial<Record<MetaName, Selection>>>({})
  const [pane, setPane] = useState<Pane>('structure')
  const choose = (form: MetaName, selection: Selection) => {
    setMeta(form)
    setSelections((before) => ({ ...before, [form]: selection }))
  }
  /** Selects and, unless told otherwise, opens the settings. */
  const select = (selection: Selection, form = meta) => {
    if (selection.focus === false) return choose(form, selection)
    const isNarrow = window.matchMedia?.(NARROW).matches
    choose(form, isNarrow ? { ...selection, focus: true } : selection)
    setPane('settings')
  }
  return {
    meta,
    pane,
    chosen: selections[meta] ?? NOTHING,
    choose,
    select,
    showForm: setMeta,
    showPane: setPane,
  }
}

/** The selection without deleted items; ticked addresses come in the form's order. */
export function selectionIn(groups: Group[], chosen: Selection): Selection {
  if (!chosen.ticked) return itemAt(groups, chosen.address) || chosen.adding ? chosen : NOTHING
  const keys = new Set(chosen.ticked.map((address) => address.join('.')))
  return { ...chosen, ticked: addressesIn(groups).filter((address) => keys.has(address.join('.'))) }
}
