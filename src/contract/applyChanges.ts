import { type Change, type ChangeOptions, evaluateChange } from './evaluateChange.ts'
import { holdsRows } from './fieldTypes.ts'
import type { Field, Group } from './generated.ts'
import { hiddenAfter } from './hiddenAfter.ts'
import { splitRows } from './hiddenRows.ts'
import { isEqual } from './isEqual.ts'
import { prepareForm } from './preparedForm.ts'
import { visibleRows } from './repeatRows.ts'
import { sortedRows } from './rowSettings.ts'
import { toSchema } from './schema.ts'
import { todayDependentNames } from './todayDependent.ts'
import { type FieldErrors, validateAnswers } from './validateAnswers.ts'
import { labelsOf } from './validateField.ts'
import { pathsOf, pick, type Values } from './when.ts'

export interface ChangeResult {
  /** All values after the change, blanks left out. */
  values: Values
  /** The visible ones of `values`; values that are hidden from this user stay stored but are not validated. */
  visibleValues: Values
  /** The answers that do not count after the change; of a visible repeat, the hidden columns of its rows. */
  hidden: Values
  /**
   * Names of the answers in `hidden` that this change hides itself; those that an edit of the form, the date or another
   * record hides are left out.
   */
  hiddenByChange: Set<string>
  /** Names whose value differs from what was stored. */
  changed: string[]
  errors: FieldErrors
  /** Names of visible fields that are missing or invalid, whether reported or not, in the order of the form. */
  invalid: string[]
}

/**
 * Applies a change to stored answers and validates the result. Keys of fields that are hidden, switched off or
 * calculated are ignored; a field marked `hidden` gets its default from the first change after which its condition
 * holds. With `hidden`, `values` are the answers that count, and others move to the `hidden` of the result, whatever
 * hides them; only what a condition on the user hides stays, because others see it. Values that nobody answered, which
 * are calculated or a default, are dropped if hidden. Without `hidden`, a value is cleared only if its field was
 * visible and `sent` hides it. A stored choice stays valid, and so does a stored value that the limits of its field no
 * longer allow.
 *
 * Values are normalised, and one that differs from the stored one in its spelling only is no change. They are not
 * compared by their search keys, which would lose a correction from "o'brien" to "O'Brien", or an added extension.
 */
export function applyChanges(options: ChangeOptions): ChangeResult {
  const { groups, hidden: hiddenBefore, bringsBack = false, all } = options
  const change = evaluateChange(options)
  const { form, before, known, sent, accepted, fields, visibleBefore, isValid } = change
  const after = valuesAfter(change)
  const { values, validated, hiddenColumns } = after
  const { errors: allErrors, failing } = validateAfter(change, validated)
  discardUncorrectable(change, after, allErrors, failing)
  // Sort only now, because the paths of validation errors use the order in which the rows were sent.
  for (const name of Object.keys(sent)) {
    const field = fields.get(name)
    if (field && name in values) values[name] = sortedRows(field, values[name])
  }
  const changed = changedNames(before, values)
  const revealed = new Set([...fields.keys()].filter((name) => !visibleBefore.fields.has(name)))
  const changing = new Set([...Object.keys(sent), ...changed])
  const isNowCompared = once((name) => isCompared(fields.get(name), changing))
  const errors = all
    ? allErrors
    : pickErrors(allErrors, (name) => name in sent || revealed.has(name) || isNowCompared(name))
  const todayDependent = todayDependentNames(groups)
  return {
    values,
    visibleValues: pick(validated, (name) => !todayDependent.has(name)),
    ...(hiddenBefore
      ? hiddenAfter({
          byName: form.byName,
          alwaysHidden: form.alwaysHidden,
          places: prepareForm(groups).places,
          before,
          known,
          hiddenBefore,
          accepted,
          bringsBack,
          values,
          fields,
          visibleBefore,
          isValid,
          hiddenColumns,
        })
      : { hidden: {}, hiddenByChange: NO_NAMES }),
    changed,
    errors,
    invalid: [...fields.keys()].filter((name) => failing.has(name)),
  }
}

interface ValuesAfter {
  /** The values to store. */
  values: Values
  /** The visible values, with calculated ones that depend on today, which are not stored. */
  validated: Values
  /** The hidden columns of the rows of visible repeats. */
  hiddenColumns: Values
}

function valuesAfter({
  options,
  before,
  base,
  fields,
  answers,
  visibleContext,
  ...change
}: Change): ValuesAfter {
  const { groups, hidden: hiddenBefore, bringsBack = false } = options
  const { anybody, visibleBefore, isValid } = change
  const todayDependent = todayDependentNames(groups)
  const values: Values = {}
  const validated: Values = {}
  const hiddenColumns: Values = {}
  for (const name of new Set([...Object.keys(base), ...Object.keys(visibleContext.answers ?? {})])) {
    const field = fields.get(name)
    if (field && name in answers) {
      validated[name] = visibleRows(field, answers[name], visibleContext)
      if (todayDependent.has(name)) continue
      values[name] = validated[name]
      if (!holdsRows(field) || !hiddenBefore) continue
      const split = splitRows(
        field,
        {
          visible: validated[name],
          candidates: answers[name],
          stored: before[name],
          hidden: hiddenBefore[name],
        },
        {
          conditionContext: visibleContext,
          bringsBack,
          anybody: anybody && {
            fields: anybody.fields.get(name)?.fields ?? [],
            conditionContext: anybody.conditionContext,
          },
          isValid,
        },
      )
      values[name] = split.rows
      if (split.hidden.length > 0) hiddenColumns[name] = split.hidden
    } else if (!field && name in before) {
      const stays = hiddenBefore ? anybody?.fields.has(name) : !visibleBefore.fields.has(name)
      if (stays) values[name] = before[name]
    }
  }
  return { values, validated, hiddenColumns }
}

/** Errors by path, and the names of the fields that are missing or invalid, whether reported or not. */
function validateAfter(
  { options, conditionContext, visibleGroups, base }: Change,
  validated: Values,
): { errors: FieldErrors; failing: Set<string> } {
  const { onlyFields, validateSchema, today } = options
  const isIncluded = (name: string) => !onlyFields || onlyFields.has(name)
  const schema = toSchema(onlyFields ? withFields(visibleGroups, isIncluded) : visibleGroups, {
    ...conditionContext,
    answers: validated,
  })
  const limitPaths = new Set<string>()
  const errors = validateAnswers(
    schema,
    onlyFields ? pick(validated, isIncluded) : validated,
    validateSchema,
    today,
    validated,
    conditionContext,
    onlyFields && labelsOf(visibleGroups.flatMap((g) => g.fields)),
    limitPaths,
  )
  const failing = new Set(Object.keys(errors).map(topLevelName))
  for (const path of limitPaths) if (isStoredAt(path, validated, base)) delete errors[path]
  return { errors, failing }
}

/** Discards invalid values of fields marked `hidden` without an error, because nobody can correct them. */
function discardUncorrectable(
  { form, before }: Change,
  { values, validated }: ValuesAfter,
  errors: FieldErrors,
  failing: Set<string>,
): void {
  for (const path of Object.keys(errors)) {
    const name = topLevelName(path)
    if (!form.alwaysHidden.has(name)) continue
    delete errors[path]
    failing.delete(name)
    delete validated[name]
    if (name in before) values[name] = before[name]
    else delete values[name]
  }
}

const NO_NAMES = new Set<string>()

function changedNames(before: Values, after: Values): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => !isEqual(before[name], after[name]))
}

/** True if the value at a dotted path is the stored one; rows are matched by their ids. */
function isStoredAt(path: string, values: Values, stored: Values): boolean {
  let [now, old]: unknown[] = [values, stored]
  for (const key of path.split('.')) {
    if (Array.isArray(now) && Array.isArray(old)) {
      const row = now[Number(key)] as Values | undefined
      old = row?.row === undefined ? old[Number(key)] : old.find((one) => one?.row === row.row)
    } else old = (old as Values | undefined)?.[key]
    now = (now as Values | undefined)?.[key]
  }
  return now !== undefined && isEqual(now, old)
}

/** True if a rule ('after:dob') or a check of the field refers to one of the changing fields. */
function isCompared(field: Field | undefined, changing: Set<string>): boolean {
  return field !== undefined && comparedWith(field).some((name) => changing.has(name))
}

/** Caches results by name, because a repeat has many errors. */
function once(of: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    if (!known.has(name)) known.set(name, of(name))
    return known.get(name)!
  }
}

/** Names of the answers that the rules and checks of a field and of its columns refer to. */
function comparedWith({ attrs, fields = [] }: Field): string[] {
  return [
    ...(attrs?.rows_from ? [attrs.rows_from] : []),
    ...(attrs?.rules ?? []).flatMap((rule) => rule.split(':').slice(1)),
    ...(attrs?.checks ?? []).flatMap(({ when }) => pathsOf(when).map((path) => path.split('.')[0])),
    ...fields.flatMap(comparedWith),
  ]
}

function withFields(groups: Group[], predicate: (name: string) => boolean): Group[] {
  return groups.map((g) => ({ ...g, fields: g.fields.filter((f) => predicate(f.name)) }))
}

function topLevelName(path: string): string {
  return path.split('.')[0]
}

function pickErrors(errors: FieldErrors, predicate: (name: string) => boolean): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => predicate(topLevelName(path))))
}
