import { createContext, useContext } from 'react'
import type { FieldAttrs, Group, Lookups } from '../contract/generated.ts'
import type { Known, MetaName } from '../contract/meta/metaTypes.ts'
import type { Address } from './address.ts'
import type { EditorError } from './editorErrors.ts'

/** What the settings show: the group or field at an address, or with `adding` the form that adds below it. */
export interface Selection {
  address: Address
  adding?: boolean
  /** Several are ticked in the structure, these: the settings show what can be done with all of them. */
  several?: Address[]
  /** Moves the focus to the settings; false keeps also the pane that is in sight. */
  focus?: boolean
}
/**
 * Describes an edit for undo: `what` follows 'Undo:'; while typing, edits with the same description are one step.
 */
export interface EditInfo {
  what: string
  at?: Address
  typing?: boolean
}

/** The form being edited and the actions on it. */
export interface EditorContextValue {
  /** Id of the case type. */
  caseType: number
  meta: MetaName
  groups: Group[]
  /** The form as it is published. */
  before: Group[]
  /** Number of records that answer a field, by name. */
  usage: Record<string, number>
  /** Number of records that chose a choice of the field at an address. */
  chosen: (address: Address, value: string | number) => number
  lookups: Lookups
  /** What fields may name: the lookups, and the lists that have parents. */
  known: Known
  errors: EditorError[]
  selection: Selection
  select: (selection: Selection) => void
  edit: (how: (groups: Group[]) => Group[], info: EditInfo) => void
  /** Has a screen reader say something. */
  announce: (words: string) => void
}

export const EditorContext = createContext<EditorContextValue | undefined>(undefined)

export function useEditorContext(): EditorContextValue {
  const editorContext = useContext(EditorContext)
  if (!editorContext) throw new Error('A part of the constructor stands outside of its EditorContext')
  return editorContext
}

/** How the parts of the settings change attributes of the field that is chosen. */
export type SetAttrs = (attrs: FieldAttrs, info: EditInfo) => void
