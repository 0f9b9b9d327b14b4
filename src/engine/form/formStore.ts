import type { FieldErrors } from '../../contract/validateAnswers.ts'
import type { ConditionContext, Values } from '../../contract/when.ts'
import type { FormChanges } from './formChanges.ts'
import type { KeptAnswer } from './keptAnswers.ts'
import type { RenderedGroup } from './renderedGroups.ts'
import type { FormSection } from './sections.ts'
import type { Slice } from './slices.ts'

/** The imperative handle of a form. Paths start at the root of the document ('answers.family.0.phone'). */
export interface FormHandle {
  /** Writes debounced text of all widgets into the document. */
  flush(): void
  /** The whole document, hidden fields included. */
  document(): Values
  /**
   * Validates the visible fields and shows their errors, with a summary that takes the focus; answers {} if valid.
   * With an earlier document, validates only fields changed or revealed since, as the server does for an existing
   * record.
   */
  submit(since?: Values): FieldErrors
  /** Shows the server's messages beside their fields and in the summary. */
  showErrors(errors: FieldErrors): void
  /** What the summary of these says, and what that of a submit does. */
  summary(): Summary | undefined
  /** Merges values from outside into the document; null clears. */
  merge(values: Values): void
  /** Takes the values at some paths back to those of an earlier document, as if nobody had touched them. */
  reset(before: Values, paths: string[]): void
  /** Whether a value differs from what was loaded. */
  isDirty(): boolean
  /** The current document becomes the saved one. */
  markSaved(): void
  /** Answers that the form hides and the person did not; the same list until one changes. */
  keptAnswers(): KeptAnswer[]
  /** Which fields on the page another version of the form changed, since this was called last. */
  takeFormChanges(): FormChanges
}

/** The messages of the last submit; another number is another submit. */
export interface Summary {
  number: number
  errors: FieldErrors
}

/** The state of a form: its document, its subscribers and the errors to show. */
export interface FormStore extends FormHandle {
  subscribe(listener: () => void): () => void
  groups(): RenderedGroup[]
  valueAt(path: string): unknown
  /** The condition context at a path: inside a repeat, the row's values first. */
  conditionContextAt(path: string): ConditionContext
  /** The place of the document that a path lies in; its groups have their hidden fields. */
  placeAt(path: string): Slice
  /** The person gave a value; undefined for none. */
  set(path: string, value: unknown): void
  /** The form itself gives a value, such as the only choice there is: nobody changed anything. */
  setDefault(path: string, value: unknown): void
  /** Stores debounced text and marks a control as touched: it shows its errors from now on, if its value was changed. */
  blur(path: string): void
  /** What keeps a field from being saved that its value does not show, such as a drawing; undefined: nothing does. */
  setUnfinished(path: string, message: string | undefined): void
  removeRow(path: string, index: number): void
  isFieldDirty(path: string): boolean
  /** True if conditions or lookups depend on this field, so its text must not be debounced. */
  hasDependents(path: string): boolean
  /** Whether two fields are drawn in one group. */
  isInSameGroup(path: string, other: string): boolean
  /** A widget holds what is not in the document yet; `flush` is called once, to give it. */
  addPending(flush: () => void): void
  /** The widget gave it, or holds it no longer. */
  removePending(flush: () => void): void
  configure(sections: FormSection[], conditionContext: ConditionContext): void
  setOnChange(onChange: OnChange | undefined): void
}

/** Hears of a value that was given, by the form itself where it is a default. */
export type OnChange = (document: Values, path: string, isDefault: boolean) => void
