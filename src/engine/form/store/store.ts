import { isEqual } from '../../../contract/applyChanges.ts'
import { hasAutomaticDefault } from '../../../contract/computedDefault.ts'
import { holdsRows } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { type FieldErrors, withoutBlanks } from '../../../contract/validateAnswers.ts'
import { type ConditionContext, isSet, type Values } from '../../../contract/when.ts'
import { afterPointerUp } from './afterPointerUp.ts'
import { isSameValue } from './changes.ts'
import { addChanges, formChanges, NO_CHANGES } from './formChanges.ts'
import type { FormStore, OnChange, Summary } from './formStore.ts'
import { type KeptAnswer, keptOf, metaFields, renderedPaths } from './keptAnswers.ts'
import { mergeAt, placesOf } from './mergeAt.ts'
import { afterRemove, getAt, isWithin, join, parentOf, setAt } from './paths.ts'
import {
  fieldAt,
  type RenderedGroup,
  renderedGroups,
  withCalculated,
  withErrors,
  withValue,
} from './renderedGroups.ts'
import { dependenciesOf, type FormSection } from './sections.ts'
import { conditionContextAt, contextInRows, slicesOf } from './slices.ts'
import { errorsByControl, pick, validateForm, validateRenderedField } from './validateForm.ts'

/** Creates the store of one form; it survives changes of its sections. */
export function createFormStore(initialOptions: {
  sections: FormSection[]
  document: Values
  conditionContext: ConditionContext
  /** The document is a stored record, whose values of hidden fields the last save did not clear. */
  isStored?: boolean
}): FormStore {
  let { sections, document, conditionContext } = initialOptions
  let savedDocument = document
  let dependencies = dependenciesOf(sections)
  let dirty = new Set<string>()
  let touched = new Set<string>()
  let server: FieldErrors = {}
  let errors: FieldErrors = {}
  let unfinished: FieldErrors = {}
  let summary: Summary | undefined
  const render = (before: RenderedGroup[]) => {
    const stored = initialOptions.isStored ? savedDocument : undefined
    return renderedGroups(sections, document, conditionContext, errors, before, stored)
  }
  let groups = render([])
  const hidden = new Map<string, Field>()
  let keptAnswers: KeptAnswer[] = []
  let changes = NO_CHANGES
  /** Paths that `blur` collects to refresh them together; undefined otherwise. */
  let batch: Set<string> | undefined
  let notifyChange: OnChange | undefined
  const pending = new Set<() => void>()
  const listeners = new Set<() => void>()

  const notifyListeners = () => {
    for (const listener of [...listeners]) listener()
  }
  const updateGroups = () => {
    groups = render(groups)
    updateKeptAnswers()
    afterPointerUp(notifyListeners)
  }
  const pathsOnPage = () =>
    renderedPaths(groups, document, (path) => conditionContextAt(document, placeOf(path), conditionContext))
  const updateKeptAnswers = () => {
    if (hidden.size === 0 && keptAnswers.length === 0) return
    const rendered = pathsOnPage()
    for (const path of rendered) hidden.delete(path)
    const next = keptOf(hidden, document, rendered)
    if (!isEqual(keptAnswers, next)) keptAnswers = next
  }
  const validateNow = (of: { before?: Values; onlyFields?: Set<string> } = {}) =>
    errorsByControl(validateForm(sections, document, conditionContext, of), groups)
  const isTouched = (path: string) => touched.has(path)
  const revalidate = () => {
    const validationErrors = touched.size > 0 ? validateNow({ onlyFields: touched }) : {}
    errors = { ...pick({ ...validationErrors, ...unfinished }, isTouched), ...server }
  }
  /** The field of a control, if no other field depends on it. */
  const independentFieldAt = (path: string) => {
    const place = fieldAt(groups, path)
    // Adding or removing a row adds or removes fields.
    if (!place || (holdsRows(place.field) && place.path === path)) return undefined
    const { at } = place.group
    const parts = path.slice(at ? at.length + 1 : 0).split('.')
    return parts.some((part) => dependencies.has(part)) ? undefined : place
  }
  /**
   * Validates and updates only the fields whose value changed or whose control lost the focus, if no other depends on
   * them.
   */
  const refresh = (paths: Iterable<string>) => {
    const before = groups
    for (const path of paths) {
      const place = independentFieldAt(path)
      if (!place) {
        revalidate()
        return updateGroups()
      }
      groups = withValue(groups, place, document)
      const isOwn = (other: string) => isWithin(other, place.path)
      const validationErrors = [...touched].some(isOwn)
        ? validateRenderedField(place, groups, document, conditionContext)
        : {}
      errors = {
        ...pick(errors, (other) => !isOwn(other)),
        ...pick(validationErrors, isTouched),
        ...pick(server, isOwn),
      }
      groups = withErrors(groups, place, errors)
    }
    if (groups !== before) afterPointerUp(notifyListeners)
  }
  const refreshOrBatch = (path: string) => (batch ? batch.add(path) : refresh([path]))
  const flush = () => {
    const flushes = [...pending]
    pending.clear()
    for (const flushOne of flushes) flushOne()
  }
  const setSummary = (errorsFound: FieldErrors) => {
    const number = (summary?.number ?? 0) + 1
    summary = Object.keys(errorsFound).length > 0 ? { number, errors: errorsFound } : undefined
  }
  /** A stored value that is typed again is not refused, as it is not if nobody touches it. */
  const isStoredValue = (path: string, value: unknown) =>
    initialOptions.isStored === true &&
    isSet(value) &&
    isSameValue(fieldAt(groups, path)?.field, value, getAt(savedDocument, path))
  const set = (path: string, newValue: unknown, isDefault = false) => {
    const field = newValue === undefined && conditionContext.withDefaults && fieldAt(groups, path)?.field
    // Null, so that an automatic default does not come back after the person cleared it.
    const value = field && hasAutomaticDefault(field) ? null : newValue
    if (Object.is(getAt(document, path), value)) return
    const isFirstOfPlace = getAt(document, parentOf(path)) === undefined
    document = setAt(document, path, value)
    if (isStoredValue(path, value)) dirty.delete(path) && touched.delete(path)
    else if (!isDefault) dirty.add(path)
    const isRelated = (other: string) => isWithin(other, path) || isWithin(path, other)
    server = pick(server, (other) => !isRelated(other))
    // Conditions may test whether there is any value at a place of the document.
    refreshOrBatch(isFirstOfPlace ? '' : path)
    notifyChange?.(document, path, isDefault)
  }
  /** The innermost place of a section that contains a path. */
  const placeOf = (path: string) =>
    sections
      .map((s) => s.at)
      .reduce((best, at) => (isWithin(path, at) && at.length > best.length ? at : best), '')

  updateKeptAnswers()
  return {
    flush,
    document: () => document,
    submit(since) {
      flush()
      server = {}
      errors = { ...validateNow({ before: since }), ...unfinished }
      touched = new Set([...touched, ...Object.keys(errors)])
      setSummary(errors)
      updateGroups()
      return errors
    },
    showErrors(errorsFound) {
      server = errorsByControl(errorsFound, groups)
      revalidate()
      setSummary(server)
      updateGroups()
    },
    merge(values) {
      flush()
      document = mergeAt(document, values, placesOf(sections))
      revalidate()
      updateGroups()
    },
    reset(before, paths) {
      flush()
      const isElsewhere = (path: string) => !paths.some((one) => isWithin(path, one))
      for (const path of paths) document = setAt(document, path, getAt(before, path))
      ;[dirty, touched] = [dirty, touched].map((set) => new Set([...set].filter(isElsewhere)))
      server = pick(server, isElsewhere)
      setSummary({})
      revalidate()
      updateGroups()
    },
    isDirty() {
      flush()
      const isFinished = Object.keys(unfinished).length === 0
      return !isFinished || !isEqual(withoutBlanks(document), withoutBlanks(savedDocument))
    },
    markSaved() {
      savedDocument = document
      dirty = new Set()
      touched = new Set()
      revalidate()
      updateGroups()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    groups: () => groups,
    summary: () => summary,
    valueAt: (path) => getAt(document, path),
    conditionContextAt(path) {
      const seen = withCalculated(
        conditionContextAt(document, placeOf(path), conditionContext),
        groups,
        placeOf(path),
      )
      const at = placeOf(path)
      const [head, ...below] = path.slice(at ? at.length + 1 : 0).split('.')
      if (below.length < 2) return seen
      return contextInRows(seen, fieldAt(groups, path)?.field, getAt(document, join(at, head)), below)
    },
    placeAt(path) {
      const place = placeOf(path)
      return slicesOf(sections, document, conditionContext).find(({ at }) => at === place)!
    },
    set,
    setDefault: (path, value) => set(path, value, true),
    blur(path) {
      const paths = new Set<string>()
      batch = paths
      try {
        flush()
      } finally {
        batch = undefined
      }
      if (dirty.has(path) && !touched.has(path)) {
        touched.add(path)
        paths.add(path)
      }
      refresh(paths)
    },
    setUnfinished(path, message) {
      if (unfinished[path]?.[0] === message) return
      const others = pick(unfinished, (other) => other !== path)
      unfinished = message === undefined ? others : { ...others, [path]: [message] }
      revalidate()
      updateGroups()
    },
    removeRow(path, index) {
      flush()
      dirty = afterRemove(dirty, path, index)
      touched = afterRemove(touched, path, index)
      const rows = (getAt(document, path) as unknown[]).filter((_, i) => i !== index)
      set(path, rows)
    },
    isFieldDirty: (path) => dirty.has(path),
    hasDependents: (path) => dependencies.has(path.split('.').at(-1)!),
    isInSameGroup: (...paths) =>
      groups.some(({ at, fields }) => paths.every((path) => fields.some((f) => join(at, f.name) === path))),
    addPending: (flushOne) => pending.add(flushOne),
    removePending: (flushOne) => pending.delete(flushOne),
    configure(nextSections, nextContext) {
      if (sections === nextSections && conditionContext === nextContext) return
      flush()
      if (sections !== nextSections) dependencies = dependenciesOf(nextSections)
      const before = groups
      const renderedBefore = pathsOnPage()
      const fields = metaFields(sections, document)
      const hasNewForm = sections !== nextSections
      sections = nextSections
      conditionContext = nextContext
      revalidate()
      groups = render(groups)
      const rendered = pathsOnPage()
      for (const path of renderedBefore)
        if (!rendered.has(path) && fields.has(path)) hidden.set(path, fields.get(path)!)
      updateKeptAnswers()
      if (hasNewForm) changes = addChanges(changes, formChanges(before, groups))
      afterPointerUp(notifyListeners)
    },
    keptAnswers: () => keptAnswers,
    takeFormChanges() {
      const taken = changes
      changes = NO_CHANGES
      return taken
    },
    setOnChange(onChange) {
      notifyChange = onChange
    },
  }
}
