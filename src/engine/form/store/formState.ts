import { holdsRows } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import type { ConditionContext, Values } from '../../../contract/when.ts'
import { afterPointerUp } from './afterPointerUp.ts'
import { type FormChanges, NO_CHANGES } from './formChanges.ts'
import type { OnChange, Summary } from './formStore.ts'
import { type KeptAnswer, keptOf, renderedPaths } from './keptAnswers.ts'
import { isWithin } from './paths.ts'
import {
  fieldAt,
  type RenderedField,
  type RenderedGroup,
  renderedGroups,
  withErrors,
  withValue,
} from './renderedGroups.ts'
import { dependenciesOf, type FormSection } from './sections.ts'
import { conditionContextAt } from './slices.ts'
import { errorsByControl, pick, validateForm, validateRenderedField } from './validateForm.ts'

export interface FormOptions {
  sections: FormSection[]
  document: Values
  conditionContext: ConditionContext
  /** The document is a stored record, whose values of hidden fields the last save did not clear. */
  isStored?: boolean
}

/** What a form's store holds; `groups`, `errors` and `keptAnswers` follow from the rest. */
export interface FormState extends FormOptions {
  savedDocument: Values
  /** Names that conditions, lookups or calculations depend on. */
  dependencies: Set<string>
  groups: RenderedGroup[]
  /** Paths of controls whose value the person changed. */
  dirty: Set<string>
  /** Paths of controls that show their errors. */
  touched: Set<string>
  errors: FieldErrors
  /** Errors of the server, until the value changes. */
  server: FieldErrors
  /** Errors that a value does not show, such as an unused signature. */
  unfinished: FieldErrors
  summary: Summary | undefined
  /** Fields that a new version of the form hides, by path. */
  hidden: Map<string, Field>
  keptAnswers: KeptAnswer[]
  changes: FormChanges
  /** Paths that `blur` collects to refresh them together; undefined otherwise. */
  batch: Set<string> | undefined
  notifyChange: OnChange | undefined
  pending: Set<() => void>
  listeners: Set<() => void>
  /** Calls the listeners; one function, so that several changes while a pointer is down notify once. */
  notifyListeners: () => void
}

export function newFormState(options: FormOptions): FormState {
  const listeners = new Set<() => void>()
  const state: FormState = {
    ...options,
    savedDocument: options.document,
    dependencies: dependenciesOf(options.sections),
    groups: [],
    dirty: new Set(),
    touched: new Set(),
    errors: {},
    server: {},
    unfinished: {},
    summary: undefined,
    hidden: new Map(),
    keptAnswers: [],
    changes: NO_CHANGES,
    batch: undefined,
    notifyChange: undefined,
    pending: new Set(),
    listeners,
    notifyListeners: () => {
      for (const listener of [...listeners]) listener()
    },
  }
  render(state)
  return state
}

/** Writes debounced text of all widgets into the document. */
export function flush({ pending }: FormState): void {
  const flushes = [...pending]
  pending.clear()
  for (const flushOne of flushes) flushOne()
}

/** The innermost place of a section that contains a path. */
export function placeOf({ sections }: FormState, path: string): string {
  return sections
    .map((s) => s.at)
    .reduce((best, at) => (isWithin(path, at) && at.length > best.length ? at : best), '')
}

export function pathsOnPage(state: FormState): Set<string> {
  const { groups, document, conditionContext } = state
  return renderedPaths(groups, document, (path) =>
    conditionContextAt(document, placeOf(state, path), conditionContext),
  )
}

/** Renders the groups, as many of the same objects as before as possible. */
export function render(state: FormState): void {
  const { sections, document, conditionContext, errors, groups } = state
  const stored = state.isStored ? state.savedDocument : undefined
  state.groups = renderedGroups(sections, document, conditionContext, errors, groups, stored)
}

export function updateKeptAnswers(state: FormState): void {
  const { hidden, keptAnswers, document } = state
  if (hidden.size === 0 && keptAnswers.length === 0) return
  const rendered = pathsOnPage(state)
  for (const path of rendered) hidden.delete(path)
  const next = keptOf(hidden, document, rendered)
  if (!isEqual(keptAnswers, next)) state.keptAnswers = next
}

/** Renders everything after a change that may concern all of it. */
export function updateGroups(state: FormState): void {
  render(state)
  updateKeptAnswers(state)
  afterPointerUp(state.notifyListeners)
}

export function validationErrors(
  { sections, document, conditionContext, groups }: FormState,
  of: { before?: Values; onlyFields?: Set<string> },
): FieldErrors {
  return errorsByControl(validateForm(sections, document, conditionContext, of), groups)
}

/** Updates the errors of all touched controls. */
export function revalidate(state: FormState): void {
  const { touched, unfinished, server } = state
  const errors = touched.size > 0 ? validationErrors(state, { onlyFields: touched }) : {}
  state.errors = { ...pick({ ...errors, ...unfinished }, (path) => touched.has(path)), ...server }
}

export function setSummary(state: FormState, errors: FieldErrors): void {
  const number = (state.summary?.number ?? 0) + 1
  state.summary = Object.keys(errors).length > 0 ? { number, errors } : undefined
}

/**
 * Validates and updates only the fields whose value changed or whose control lost the focus, if no other depends on
 * them.
 */
export function refresh(state: FormState, paths: Iterable<string>): void {
  const before = state.groups
  for (const path of paths) {
    const place = independentFieldAt(state, path)
    if (!place) {
      revalidate(state)
      updateGroups(state)
      return
    }
    refreshField(state, place)
  }
  if (state.groups !== before) afterPointerUp(state.notifyListeners)
}

/** The field of a control, if no other field depends on it. */
function independentFieldAt({ groups, dependencies }: FormState, path: string): RenderedField | undefined {
  const place = fieldAt(groups, path)
  // Adding or removing a row adds or removes fields.
  if (!place || (holdsRows(place.field) && place.path === path)) return undefined
  const { at } = place.group
  const parts = path.slice(at ? at.length + 1 : 0).split('.')
  return parts.some((part) => dependencies.has(part)) ? undefined : place
}

function refreshField(state: FormState, place: RenderedField): void {
  const { document, conditionContext, touched, server } = state
  state.groups = withValue(state.groups, place, document)
  const isOwn = (other: string) => isWithin(other, place.path)
  const errors = [...touched].some(isOwn)
    ? validateRenderedField(place, state.groups, document, conditionContext)
    : {}
  state.errors = {
    ...pick(state.errors, (other) => !isOwn(other)),
    ...pick(errors, (other) => touched.has(other)),
    ...pick(server, isOwn),
  }
  state.groups = withErrors(state.groups, place, state.errors)
}
