import type { Registry, RJSFSchema } from '@rjsf/utils'
import type { Folds } from './folds.ts'
import type { FormStore } from './formStore.ts'

/** Context that rjsf passes to all widgets, fields and templates. */
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
}

/** rjsf's registry of widgets, fields and templates, with our form context. */
export type FormRegistry = Registry<unknown, RJSFSchema, FormContext>
