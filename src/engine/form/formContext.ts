import type { Registry, RJSFSchema } from '@rjsf/utils'
import type { Folds } from './folds.ts'
import type { FormStore } from './formStore.ts'

/** What rjsf carries to everything that it draws with. */
export interface FormContext {
  store: FormStore
  idPrefix: string
  /** The path of a control from the root of the document, by its id. */
  pathOf: (id: string) => string
  /** Key of the one group to draw, under a heading of somebody else; omitted: all of them. */
  only?: string
  /** Its groups can be folded, where there are many of them. */
  folds?: Folds
  /** Retired items of lookups are offered too: what is asked for is an answer of some time. */
  offersRetired?: boolean
}

/** rjsf's widgets, fields and templates, and our context with them. */
export type FormRegistry = Registry<unknown, RJSFSchema, FormContext>
