import { createContext, useContext } from 'react'
import type { Field, FieldAttrs, Group, Lookups } from '../../contract/generated.ts'
import type { Known, MetaName } from '../../contract/meta/metaTypes.ts'
import type { Address } from './address.ts'
import type { Draft } from './caseType.ts'
import type { EditorError } from './editorErrors.ts'

/** The item whose settings are open, or with `adding` the parent below which the form adds one. */
export interface Selection {
  address: Address
  adding?: boolean
  /** Addresses ticked in the structure; the settings then act on all of them. */
  ticked?: Address[]
  /** True moves the focus to the settings; false also leaves the visible pane as it is. */
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
  /** The fields outside of the form that it can name, by path. */
  outside: Map<string, Field>
  /** The published version of the form. */
  before: Group[]
  /** Number of records that answer a field, by name. */
  usage: Record<string, number>
  /** Where a field of the form is used outside of it, in words. */
  usesOf: (field: Field) => string[]
  /** Number of records in which a choice of the field at an address is selected. */
  chosen: (address: Address, value: string | number) => number
  lookups: Lookups
  /** Lookups, entities and lookup items that validation checks the references of fields against. */
  known: Known
  errors: EditorError[]
  selection: Selection
  select: (selection: Selection) => void
  edit: (update: (groups: Group[]) => Group[], info: EditInfo) => void
  /** Edits the form together with what refers to its fields: tests, automations and deadlines. */
  editDraft: (update: (draft: Draft) => Draft, info: EditInfo) => void
  /** Announces a message to screen readers. */
  announce: (words: string) => void
}

export const EditorContext = createContext<EditorContextValue | undefined>(undefined)

export function useEditorContext(): EditorContextValue {
  const editorContext = useContext(EditorContext)
  if (!editorContext) throw new Error('A part of the constructor stands outside of its EditorContext')
  return editorContext
}

/** Changes attributes of the selected field; undefined removes one. */
export type SetAttrs = (attrs: FieldAttrs, info: EditInfo) => void
