import { useCallback, useReducer } from 'react'
import type { FormTest } from '../../contract/generated.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import { type DefinitionList, type DefinitionPlace, labelOfDefinition } from '../forms/definitions.ts'
import { type Address, itemAt, seek } from './address.ts'
import { type Draft, type Draftable, draftOf } from './caseType.ts'
import type { EditorContextValue, Selection } from './editorContext.ts'
import { type History, type HistoryAction, historyReducer, startHistory } from './history.ts'

interface At {
  meta: MetaName
  address: Address
  /** The automation or deadline that was changed. */
  definition?: DefinitionPlace
}

/** Changes the automations or the deadlines; `name` is that of the one to select after an undo. */
export type EditDefinitions = <L extends DefinitionList>(
  list: L,
  update: (all: Draft[L]) => Draft[L],
  info: { what: string; name: string; typing?: boolean },
) => void

/** Changes the tests; `what` describes the change for undo, and `meta` is the form that the tests are of. */
export type EditTests = (meta: MetaName, update: (tests: FormTest[]) => FormTest[], what: string) => void

interface Chooses {
  choose: (form: MetaName, selection: Selection) => void
  chooseDefinition: (place: DefinitionPlace) => void
}

/**
 * The draft of a case type with its edit actions and undo history; undo and redo announce and select what they changed.
 */
export function useDraftHistory(
  loaded: Draftable,
  meta: MetaName,
  announce: (words: string) => void,
  { choose, chooseDefinition }: Chooses,
) {
  const [history, dispatch] = useReducer<History<Draft, At>, Draftable, [HistoryAction<Draft, At>]>(
    historyReducer,
    loaded,
    (first) => startHistory(draftOf(first)),
  )
  const edit: EditorContextValue['edit'] = (update, { what, at = [], typing }) => {
    const change = (now: Draft) => ({ ...now, [meta]: update(now[meta]) })
    dispatch({ do: 'edit', edit: change, what, at: { meta, address: at }, typing })
  }
  const editDraft: EditorContextValue['editDraft'] = (update, { what, at = [], typing }) => {
    dispatch({ do: 'edit', edit: (now) => draftOf(update(now)), what, at: { meta, address: at }, typing })
  }
  const rename = (label: string) => {
    const change = (now: Draft) => ({ ...now, label })
    dispatch({ do: 'edit', edit: change, what: 'Name', at: { meta, address: [] }, typing: true })
  }
  const editTests = useCallback<EditTests>((form, update, what) => {
    const change = (now: Draft) => ({ ...now, tests: update(now.tests) })
    dispatch({ do: 'edit', edit: change, what, at: { meta: form, address: [] } })
  }, [])
  const editDefinitions = useCallback<EditDefinitions>((list, update, { what, name, typing }) => {
    const change = (now: Draft) => ({ ...now, [list]: update(now[list]) })
    const at: At = { meta: 'case_meta', address: [], definition: { list, name } }
    dispatch({ do: 'edit', edit: change, what, at, typing })
  }, [])
  const replace = (next: Draftable, what: string) => {
    dispatch({ do: 'edit', edit: () => draftOf(next), what, at: { meta, address: [] } })
  }
  const merge = (parts: Partial<Draft>, what: string) => {
    const change = (now: Draft) => draftOf({ ...now, ...parts })
    dispatch({ do: 'edit', edit: change, what, at: { meta, address: [] } })
  }
  const travel = (way: 'undo' | 'redo') => {
    const step = way === 'undo' ? history.past.at(-1) : history.future[0]
    if (!step) return announce(`Nothing to ${way}`)
    const { meta: form, address, definition } = step.at
    const said = `${way === 'undo' ? 'Undone' : 'Redone'}: ${step.what}`
    if (definition) {
      const label =
        labelOfDefinition(step.state, definition) ?? labelOfDefinition(history.present, definition)
      dispatch({ do: way })
      announce(label ? `${said}, ${label}` : said)
      return chooseDefinition(definition)
    }
    const there = seek(step.state[form], address)
    const item = there ? itemAt(step.state[form], there) : itemAt(history.present[form], address)
    dispatch({ do: way })
    announce(item ? `${said}, ${item.label}` : said)
    choose(form, { address: there ?? [] })
  }
  return {
    draft: history.present,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    /** Description of the last change. */
    lastChange: history.past.at(-1)?.what,
    edit,
    editDraft,
    editTests,
    editDefinitions,
    rename,
    /** Replaces the draft in one undoable step. */
    replace,
    /** Replaces parts of the draft in one undoable step. */
    merge,
    start: (other: Draftable) => dispatch({ do: 'start', with: draftOf(other) }),
    undo: () => travel('undo'),
    redo: () => travel('redo'),
  }
}
