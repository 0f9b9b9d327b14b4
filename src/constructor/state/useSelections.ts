import { useState } from 'react'
import type { Group } from '../../contract/generated.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import type { DefinitionPlace } from '../forms/definitions.ts'
import { addressesIn, itemAt } from './address.ts'
import type { Selection } from './editorContext.ts'

type Pane = 'structure' | 'settings' | 'preview'
/** The tabs of the editor: the two forms, and the automations with the deadlines. */
export type EditorTab = MetaName | 'automations'

const NARROW = '(max-width: 640px)'
const NOTHING: Selection = { address: [] }

/** The tab and the pane that are open, the form that was open last, and what is selected in each tab. */
export function useSelections() {
  const [tab, setTab] = useState<EditorTab>('case_meta')
  const [meta, setMeta] = useState<MetaName>('case_meta')
  const [definition, setDefinition] = useState<DefinitionPlace>()
  const [selections, setSelections] = useState<Partial<Record<MetaName, Selection>>>({})
  const [pane, setPane] = useState<Pane>('structure')
  const showTab = (next: EditorTab) => {
    setTab(next)
    if (next !== 'automations') setMeta(next)
  }
  const choose = (form: MetaName, selection: Selection) => {
    showTab(form)
    setSelections((before) => ({ ...before, [form]: selection }))
  }
  /** Selects and, unless told otherwise, opens the settings. */
  const select = (selection: Selection, form = meta) => {
    if (selection.focus === false) return choose(form, selection)
    const isNarrow = window.matchMedia?.(NARROW).matches
    choose(form, isNarrow ? { ...selection, focus: true } : selection)
    setPane('settings')
  }
  const chooseDefinition = (place: DefinitionPlace) => {
    setTab('automations')
    setDefinition(place)
  }
  return {
    tab,
    meta,
    /** The selected automation or deadline; it may be gone. */
    definition,
    chooseDefinition,
    /** Selects an automation or a deadline and opens its sentence. */
    selectDefinition: (place: DefinitionPlace) => {
      chooseDefinition(place)
      setPane('settings')
    },
    pane,
    chosen: selections[meta] ?? NOTHING,
    choose,
    select,
    showTab,
    showPane: setPane,
  }
}

/** The selection without deleted items; ticked addresses come in the form's order. */
export function selectionIn(groups: Group[], chosen: Selection): Selection {
  if (!chosen.ticked) return itemAt(groups, chosen.address) || chosen.adding ? chosen : NOTHING
  const keys = new Set(chosen.ticked.map((address) => address.join('.')))
  return { ...chosen, ticked: addressesIn(groups).filter((address) => keys.has(address.join('.'))) }
}
