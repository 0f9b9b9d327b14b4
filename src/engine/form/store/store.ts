import { hasAutomaticDefault } from '../../../contract/computedDefault.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import { withoutBlanks } from '../../../contract/validateAnswers.ts'
import { isSet } from '../../../contract/when.ts'
import { afterPointerUp } from './afterPointerUp.ts'
import { isSameValue } from './changes.ts'
import { addChanges, formChanges, NO_CHANGES } from './formChanges.ts'
import {
  type FormOptions,
  type FormState,
  flush,
  newFormState,
  pathsOnPage,
  placeOf,
  refresh,
  render,
  revalidate,
  setSummary,
  updateGroups,
  updateKeptAnswers,
  validationErrors,
} from './formState.ts'
import type { FormStore } from './formStore.ts'
import { metaFields } from './keptAnswers.ts'
import { mergeAt, placesOf } from './mergeAt.ts'
import { afterRemove, getAt, isWithin, join, parentOf, setAt } from './paths.ts'
import { fieldAt, withCalculated } from './renderedGroups.ts'
import { dependenciesOf } from './sections.ts'
import { conditionContextAt, contextInRows, slicesOf } from './slices.ts'
import { errorsByControl, pick } from './validateForm.ts'

/** Creates the store of one form; it survives changes of its sections. */
export function createFormStore(options: FormOptions): FormStore {
  const state = newFormState(options)
  return {
    ...readers(state),
    ...answerActions(state),
    ...errorActions(state),
    ...documentActions(state),
    ...formActions(state),
  }
}

type Part<Name extends keyof FormStore> = Pick<FormStore, Name>

/** What widgets and pages read. */
function readers(
  state: FormState,
): Part<
  | 'document'
  | 'groups'
  | 'summary'
  | 'valueAt'
  | 'conditionContextAt'
  | 'placeAt'
  | 'isFieldDirty'
  | 'hasDependents'
  | 'isInSameGroup'
  | 'keptAnswers'
  | 'subscribe'
> {
  return {
    document: () => state.document,
    groups: () => state.groups,
    summary: () => state.summary,
    valueAt: (path) => getAt(state.document, path),
    conditionContextAt(path) {
      const { document, conditionContext, groups } = state
      const at = placeOf(state, path)
      const seen = withCalculated(conditionContextAt(document, at, conditionContext), groups, at)
      const [head, ...below] = path.slice(at ? at.length + 1 : 0).split('.')
      if (below.length < 2) return seen
      return contextInRows(seen, fieldAt(groups, path)?.field, getAt(document, join(at, head)), below)
    },
    placeAt(path) {
      const place = placeOf(state, path)
      const { sections, document, conditionContext } = state
      return slicesOf(sections, document, conditionContext).find(({ at }) => at === place)!
    },
    isFieldDirty: (path) => state.dirty.has(path),
    hasDependents: (path) => state.dependencies.has(path.split('.').at(-1)!),
    isInSameGroup: (...paths) =>
      state.groups.some(({ at, fields }) =>
        paths.every((path) => fields.some((f) => join(at, f.name) === path)),
      ),
    keptAnswers: () => state.keptAnswers,
    subscribe(listener) {
      state.listeners.add(listener)
      return () => state.listeners.delete(listener)
    },
  }
}

/** What widgets do to answers. */
function answerActions(
  state: FormState,
): Part<
  | 'flush'
  | 'set'
  | 'setDefault'
  | 'blur'
  | 'removeRow'
  | 'setUnfinished'
  | 'addPending'
  | 'removePending'
  | 'setOnChange'
> {
  return {
    flush: () => flush(state),
    set: (path, value) => setValue(state, path, value, false),
    setDefault: (path, value) => setValue(state, path, value, true),
    blur(path) {
      const paths = new Set<string>()
      state.batch = paths
      try {
        flush(state)
      } finally {
        state.batch = undefined
      }
      if (state.dirty.has(path) && !state.touched.has(path)) {
        state.touched.add(path)
        paths.add(path)
      }
      refresh(state, paths)
    },
    removeRow(path, index) {
      flush(state)
      state.dirty = afterRemove(state.dirty, path, index)
      state.touched = afterRemove(state.touched, path, index)
      const rows = (getAt(state.document, path) as unknown[]).filter((_, i) => i !== index)
      setValue(state, path, rows, false)
    },
    setUnfinished(path, message) {
      if (state.unfinished[path]?.[0] === message) return
      const others = pick(state.unfinished, (other) => other !== path)
      state.unfinished = message === undefined ? others : { ...others, [path]: [message] }
      revalidate(state)
      updateGroups(state)
    },
    addPending: (flushOne) => state.pending.add(flushOne),
    removePending: (flushOne) => state.pending.delete(flushOne),
    setOnChange(onChange) {
      state.notifyChange = onChange
    },
  }
}

function setValue(state: FormState, path: string, newValue: unknown, isDefault: boolean): void {
  const { conditionContext, groups, dirty } = state
  const field = newValue === undefined && conditionContext.withDefaults && fieldAt(groups, path)?.field
  // Null, so that an automatic default does not come back after the person cleared it.
  const value = field && hasAutomaticDefault(field) ? null : newValue
  if (Object.is(getAt(state.document, path), value)) return
  const isFirstOfPlace = getAt(state.document, parentOf(path)) === undefined
  state.document = setAt(state.document, path, value)
  if (isStoredValue(state, path, value)) dirty.delete(path) && state.touched.delete(path)
  else if (!isDefault) dirty.add(path)
  const isRelated = (other: string) => isWithin(other, path) || isWithin(path, other)
  state.server = pick(state.server, (other) => !isRelated(other))
  // Conditions may test whether there is any value at a place of the document.
  const changed = isFirstOfPlace ? '' : path
  if (state.batch) state.batch.add(changed)
  else refresh(state, [changed])
  state.notifyChange?.(state.document, path, isDefault)
}

/** True for the stored value: typed again, it is accepted, as it is if nobody touches it. */
function isStoredValue(
  { isStored, groups, savedDocument }: FormState,
  path: string,
  value: unknown,
): boolean {
  return (
    isStored === true &&
    isSet(value) &&
    isSameValue(fieldAt(groups, path)?.field, value, getAt(savedDocument, path))
  )
}

/** Validation as a whole, and errors of the server. */
function errorActions(state: FormState): Part<'submit' | 'showErrors'> {
  return {
    submit(since) {
      flush(state)
      state.server = {}
      state.errors = { ...validationErrors(state, { before: since }), ...state.unfinished }
      state.touched = new Set([...state.touched, ...Object.keys(state.errors)])
      setSummary(state, state.errors)
      updateGroups(state)
      return state.errors
    },
    showErrors(errors) {
      state.server = errorsByControl(errors, state.groups)
      revalidate(state)
      setSummary(state, state.server)
      updateGroups(state)
    },
  }
}

/** What saves and other people do to the document. */
function documentActions(state: FormState): Part<'merge' | 'reset' | 'isDirty' | 'markSaved'> {
  return {
    merge(values) {
      flush(state)
      state.document = mergeAt(state.document, values, placesOf(state.sections))
      revalidate(state)
      updateGroups(state)
    },
    reset(before, paths) {
      flush(state)
      const isElsewhere = (path: string) => !paths.some((one) => isWithin(path, one))
      for (const path of paths) state.document = setAt(state.document, path, getAt(before, path))
      state.dirty = new Set([...state.dirty].filter(isElsewhere))
      state.touched = new Set([...state.touched].filter(isElsewhere))
      state.server = pick(state.server, isElsewhere)
      setSummary(state, {})
      revalidate(state)
      updateGroups(state)
    },
    isDirty() {
      flush(state)
      const isFinished = Object.keys(state.unfinished).length === 0
      return !isFinished || !isEqual(withoutBlanks(state.document), withoutBlanks(state.savedDocument))
    },
    markSaved() {
      state.savedDocument = state.document
      state.dirty = new Set()
      state.touched = new Set()
      revalidate(state)
      updateGroups(state)
    },
  }
}

const NO_PATHS: ReadonlySet<string> = new Set()

/** What a new version of the form, or what is around it, changes. */
function formActions(state: FormState): Part<'configure' | 'takeFormChanges'> {
  return {
    configure(sections, conditionContext) {
      const hasNewForm = state.sections !== sections
      if (!hasNewForm && state.conditionContext === conditionContext) return
      flush(state)
      if (hasNewForm) state.dependencies = dependenciesOf(sections)
      const { groups: before, hidden } = state
      const fields = metaFields(state.sections, state.document)
      const renderedBefore = fields.size > 0 ? pathsOnPage(state) : NO_PATHS
      state.sections = sections
      state.conditionContext = conditionContext
      revalidate(state)
      render(state)
      const rendered = fields.size > 0 ? pathsOnPage(state) : NO_PATHS
      for (const path of renderedBefore)
        if (!rendered.has(path) && fields.has(path)) hidden.set(path, fields.get(path)!)
      updateKeptAnswers(state)
      if (hasNewForm) state.changes = addChanges(state.changes, formChanges(before, state.groups))
      afterPointerUp(state.notifyListeners)
    },
    takeFormChanges() {
      const taken = state.changes
      state.changes = NO_CHANGES
      return taken
    },
  }
}
