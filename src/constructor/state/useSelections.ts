import { useState } from 'react'
import type { Group } from '../../contract/generated.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import { addressesIn, itemAt } from './address.ts'
import type { Selection } from './editorContext.ts'

type Pane = 'structure' | 'settings' | 'preview'
/** The tabs of the editor: the two forms, and the automations. */
export type EditorTab = MetaName | 'automations'

const NARROW = '(max-width: 640px)'
const NOTHING: Selection = { address: [] }

/** The tab and the pane that are open, the form that was open last, and what is selected in each tab. */
export function useSelections() {
  const [tab, setTab] = useState<EditorTab>('case_meta')
  const [meta, setMeta] = useState<MetaName>('case_meta')
  const [automation, setAutomation] = useState<string>()
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
  const chooseAutomation = (name: string | undefined) => {
    setTab('automations')
    setAutomation(name)
  }
  return {
    tab,
    meta,
    /** Name of the selected automation; it may be gone. */
    automation,
    chooseAutomation,
    /** Selects an automation and opens its sentence. */
    selectAutomation: (name: string) => {
      chooseAutomation(name)
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
