import { useReducer } from 'react'
import type { MetaName } from '../contract/meta/metaTypes.ts'
import { type Address, itemAt, seek } from './address.ts'
import { type Draft, draftOf } from './caseType.ts'
import type { EditorContextValue, Selection } from './editorContext.ts'
import { type History, type HistoryAction, historyReducer, startHistory } from './history.ts'

interface At {
  meta: MetaName
  address: Address
}

/** The draft of a case type, how it is changed, and the way back; undo and redo show and tell what they changed. */
export function useDraft(
  loaded: Draft,
  meta: MetaName,
  announce: (words: string) => void,
  choose: (form: MetaName, selection: Selection) => void,
) {
  const [history, dispatch] = useReducer<History<Draft, At>, Draft, [HistoryAction<Draft, At>]>(
    historyReducer,
    loaded,
    (first) => startHistory(draftOf(first)),
  )
  const edit: EditorContextValue['edit'] = (how, { what, at = [], typing }) => {
    const change = (now: Draft) => ({ ...now, [meta]: how(now[meta]) })
    dispatch({ do: 'edit', edit: change, what, at: { meta, address: at }, typing })
  }
  const rename = (label: string) => {
    const change = (now: Draft) => ({ ...now, label })
    dispatch({ do: 'edit', edit: change, what: 'Name', at: { meta, address: [] }, typing: true })
  }
  const replace = (next: Draft, what: string) => {
    dispatch({ do: 'edit', edit: () => draftOf(next), what, at: { meta, address: [] } })
  }
  const travel = (way: 'undo' | 'redo') => {
    const step = way === 'undo' ? history.past.at(-1) : history.future[0]
    if (!step) return announce(`Nothing to ${way}`)
    const { meta: form, address } = step.at
    const there = seek(step.state[form], address)
    const item = there ? itemAt(step.state[form], there) : itemAt(history.present[form], address)
    dispatch({ do: way })
    announce(`${way === 'undo' ? 'Undone' : 'Redone'}: ${step.what}${item ? `, ${item.label}` : ''}`)
    choose(form, { address: there ?? [] })
  }
  return {
    draft: history.present,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    edit,
    rename,
    /** Another draft as one step, which can be undone. */
    replace,
    start: (other: Draft) => dispatch({ do: 'start', with: draftOf(other) }),
    undo: () => travel('undo'),
    redo: () => travel('redo'),
  }
}
