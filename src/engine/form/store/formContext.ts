import type { Registry, RJSFSchema } from '@rjsf/utils'
import type { ComponentType, ReactNode } from 'react'
import type { Folds } from './folds.ts'
import type { FormStore } from './formStore.ts'

/** Some fields of a group, by the ids of their controls. */
export interface FieldsFrameProps {
  ids: string[]
  /** One of them has an error. */
  isWrong: boolean
  children: ReactNode
}

/** Context that rjsf passes to all widgets, fields and templates of a form with a store. */
export interface FormContext {
  store: FormStore
  idPrefix: string
  /** Converts the id of a control to its path from the root of the document. */
  pathOf: (id: string) => string
  /** Key of the only group to render, whose heading the caller renders; omitted: all groups. */
  only?: string
  /** Folded groups of a form whose groups can be folded, if it has many. */
  folds?: Folds
  /** Also offers retired items of lookups, because the form searches in old answers. */
  offersRetired?: boolean
  /** Goes around every few fields of a group and may render them later. */
  frame?: ComponentType<FieldsFrameProps>
}

/** rjsf's registry of widgets, fields and templates, with our form context. */
export type FormRegistry = Registry<unknown, RJSFSchema, FormContext>

/** What the widget of a single value uses of the form around it, besides its own value and `onChange`. */
export type WidgetStore = Pick<
  FormStore,
  | 'addPending'
  | 'removePending'
  | 'flush'
  | 'hasDependents'
  | 'isInSameGroup'
  | 'isFieldDirty'
  | 'subscribe'
  | 'document'
  | 'valueAt'
  | 'conditionContextAt'
  | 'set'
  | 'setDefault'
  | 'setUnfinished'
>

type WidgetContext = Pick<FormContext, 'pathOf' | 'offersRetired'> & { store: WidgetStore }

/** The form around a widget; in a form of rjsf without a store, one that knows only the widget's own value. */
export function formOf({ formContext }: FormRegistry): WidgetContext {
  return formContext.store ? formContext : WITHOUT_STORE
}

const WITHOUT_STORE: WidgetContext = {
  pathOf: (id) => id,
  store: {
    // Nobody would flush debounced text before a submit, so no text is debounced.
    hasDependents: () => true,
    addPending: () => {},
    removePending: () => {},
    flush: () => {},
    isInSameGroup: () => false,
    isFieldDirty: () => false,
    subscribe: () => () => {},
    document: () => EMPTY,
    valueAt: () => undefined,
    conditionContextAt: () => EMPTY,
    set: () => {},
    setDefault: () => {},
    setUnfinished: () => {},
  },
}

const EMPTY = {}
