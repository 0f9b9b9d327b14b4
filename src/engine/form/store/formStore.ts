import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import type { ConditionContext, Values } from '../../../contract/when.ts'
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
   * Validates the visible fields and shows their errors, with a summary that takes the focus; returns {} if valid. With
   * an earlier document, validates only fields changed or revealed since, as the server does for an existing record.
   */
  submit(since?: Values): FieldErrors
  /** Shows the server's errors beside their fields and in the summary. */
  showErrors(errors: FieldErrors): void
  /** The error summary to show after `submit` or `showErrors`; undefined if there is none. */
  summary(): Summary | undefined
  /** Merges external values into the document; null clears. */
  merge(values: Values): void
  /** Resets the values at some paths to those of an earlier document; they are no longer dirty or touched. */
  reset(before: Values, paths: string[]): void
  /** True if the document differs from the saved one, or a control is unfinished. */
  isDirty(): boolean
  /** Makes the current document the saved one. */
  markSaved(): void
  /** Answers that stay in the document although their fields are hidden; the same array until one changes. */
  keptAnswers(): KeptAnswer[]
  /** Returns and resets the changes that new versions of the form made to the fields on the page. */
  takeFormChanges(): FormChanges
}

/** Errors of the last validation; each has another number. */
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
  /** The groups and condition context of the place that contains a path, hidden fields included. */
  placeAt(path: string): Slice
  /** Sets a value that the person entered; undefined clears it. */
  set(path: string, value: unknown): void
  /** Sets a value that the form fills in itself, such as the only choice; the field does not become dirty. */
  setDefault(path: string, value: unknown): void
  /**
   * Flushes debounced text and, if the value was changed, marks the control as touched: it shows its errors from now
   * on.
   */
  blur(path: string): void
  /** Sets an error that the value does not show, such as an unused signature; undefined removes it. */
  setUnfinished(path: string, message: string | undefined): void
  removeRow(path: string, index: number): void
  isFieldDirty(path: string): boolean
  /** True if conditions or lookups depend on this field, so its text must not be debounced. */
  hasDependents(path: string): boolean
  /** True if two fields are rendered in the same group. */
  isInSameGroup(path: string, other: string): boolean
  /** Registers the `flush` of a widget with debounced text; it is called once, to write the text into the document. */
  addPending(flush: () => void): void
  /** Unregisters a flush, because the text was written or discarded. */
  removePending(flush: () => void): void
  configure(sections: FormSection[], conditionContext: ConditionContext): void
  setOnChange(onChange: OnChange | undefined): void
}

/** Called when a value changes; `isDefault`: the form filled it in itself. */
export type OnChange = (document: Values, path: string, isDefault: boolean) => void
