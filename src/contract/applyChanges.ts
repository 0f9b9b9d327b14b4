import { hasAutomaticDefault } from './computedDefault.ts'
import { holdsRows, isQuestion, normaliseValue, normaliseValues } from './fieldTypes.ts'
import { forAnybody } from './forAnybody.ts'
import type { Field, Group } from './generated.ts'
import { hiddenAfter } from './hiddenAfter.ts'
import { splitRows, withHidden } from './hiddenRows.ts'
import { prepareForm } from './preparedForm.ts'
import { type VisibleState, visibleRows } from './repeatRows.ts'
import { sortedRows } from './rowSettings.ts'
import { toSchema } from './schema.ts'
import { type FieldErrors, type SchemaValidator, validateAnswers, withoutBlanks } from './validateAnswers.ts'
import { evaluate, todayDependentNames } from './visible.ts'
import { type ConditionContext, pathsOf, pick, type Values } from './when.ts'

export interface ChangeOptions {
  groups: Group[]
  stored: Values
  /**
   * Stored answers that do not count, of the form of a case type: answers that are hidden after the change are returned
   * apart too. Omitted: fields of an entity, whose values stay in their columns.
   */
  hidden?: Values
  /** Hidden answers come back if their fields are visible after the change, because a person saves the whole form. */
  bringsBack?: boolean
  /** Keys to change; null clears. */
  sent: Values
  conditionContext: ConditionContext
  validateSchema: SchemaValidator
  /** YYYY-MM-DD where the service works. */
  today: string
  /** Validate every visible field, as for a new record; otherwise only fields sent or revealed. */
  all?: boolean
  /** Names of the fields to validate, with `all`; omitted: every visible one. */
  onlyFields?: Set<string>
}
export interface ChangeResult {
  /** All values after the change, blanks left out. */
  values: Values
  /** The visible ones of `values`; values that are hidden from this user stay stored but are not validated. */
  visibleValues: Values
  /** The answers that do not count after the change; of a visible repeat, the hidden columns of its rows. */
  hidden: Values
  /** Names of the answers in `hidden` that this change hides, and not the form, the date or another record. */
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
 * are calculated or a default, are dropped if hidden. Without `hidden`, a value is cleared only if its field was visible
 * and `sent` hides it. A stored choice stays valid, and a stored value that the limits of its field no longer allow.
 *
 * Values are normalised, and one that differs from the stored one in its spelling only is no change. They are not
 * compared by their search keys, which would lose a correction from "o'brien" to "O'Brien", or an added extension.
 */
export function applyChanges({
  groups,
  stored,
  hidden: hiddenBefore,
  bringsBack = false,
  sent: sentAsWritten,
  conditionContext: callerContext,
  validateSchema,
  today,
  all,
  onlyFields,
}: ChangeOptions): ChangeResult {
  const conditionContext = { ...callerContext, today }
  const before = withoutBlanks(stored)
  const known = hiddenBefore ? withHidden(before, hiddenBefore) : before
  const base = bringsBack ? known : before
  const sent = normalisedChanges(groups, sentAsWritten, known)
  const { byName, alwaysHidden, ignored, autoDefaultNames } = prepare(groups)
  const accepted = ignored.size > 0 ? pick(sent, (name) => !ignored.has(name)) : sent
  // An answer of no field is hidden, so conditions must not read it.
  const ofForm = (all: Values) => (hiddenBefore ? pick(all, (name) => byName.has(name)) : all)
  const merged = withoutBlanks(ofForm({ ...base, ...accepted }))
  // A new record had no visible fields before.
  const visibleBefore =
    all && Object.keys(before).length === 0
      ? NOTHING_VISIBLE
      : visibleIn(groups, conditionContext, ofForm(before))
  const usesDefault = (name: string) =>
    alwaysHidden.has(name)
      ? isRevealed(name, base, visibleBefore)
      : !(name in base) && conditionContext.withDefaults === true && !Object.hasOwn(sent, name)
  const withDefaults = new Set(autoDefaultNames.filter(usesDefault))
  const { groups: visibleGroups, answers } = evaluate(groups, {
    ...conditionContext,
    withDefaults,
    answers: merged,
  })
  const fields = fieldsByName(visibleGroups)
  const visibleContext = { ...conditionContext, answers: pick(answers, (name) => fields.has(name)) }
  const todayDependent = todayDependentNames(groups)

  const values: Values = {}
  const validated: Values = {}
  const hiddenColumns: Values = {}
  const isValid = (field: Field, value: unknown) => isValidAlone(field, value, visibleContext, validateSchema)
  const anybody = hiddenBefore && anybodyIn(groups, { ...conditionContext, withDefaults, answers: merged })
  for (const name of new Set([...Object.keys(base), ...Object.keys(visibleContext.answers)])) {
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
  const isIncluded = (name: string) => !onlyFields || onlyFields.has(name)
  const schema = toSchema(onlyFields ? withFields(visibleGroups, isIncluded) : visibleGroups, {
    ...conditionContext,
    answers: validated,
  })
  const limitPaths = new Set<string>()
  const allErrors = validateAnswers(
    schema,
    onlyFields ? pick(validated, isIncluded) : validated,
    validateSchema,
    today,
    validated,
    conditionContext,
    onlyFields && labelsOf(visibleGroups.flatMap((g) => g.fields)),
    limitPaths,
  )
  const failing = new Set(Object.keys(allErrors).map(topLevelName))
  for (const path of limitPaths) if (isStoredAt(path, validated, base)) delete allErrors[path]
  // Nobody can correct a field marked `hidden`, so an invalid value of it is discarded and not reported.
  for (const path of Object.keys(allErrors)) {
    const name = topLevelName(path)
    if (!alwaysHidden.has(name)) continue
    delete allErrors[path]
    failing.delete(name)
    delete validated[name]
    if (name in before) values[name] = before[name]
    else delete values[name]
  }
  // After the validation, whose paths name the rows in the order in which they were sent.
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
  return {
    values,
    visibleValues: pick(validated, (name) => !todayDependent.has(name)),
    ...(hiddenBefore
      ? hiddenAfter({
          byName,
          alwaysHidden,
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

/** What is visible if nobody is kept from it by who they are; undefined if the form has no condition on the user. */
function anybodyIn(groups: Group[], conditionContext: ConditionContext): VisibleState | undefined {
  const stripped = forAnybody(groups)
  return stripped && visibleIn(stripped, conditionContext, conditionContext.answers ?? {})
}

/**
 * True if a value of a hidden field is one that the field can have. It is validated without the other answers: thousands
 * of columns can be hidden at once, and those that come back are validated with the whole form.
 */
function isValidAlone(
  field: Field,
  value: unknown,
  conditionContext: ConditionContext,
  validateSchema: SchemaValidator,
): boolean {
  const today = String(conditionContext.today)
  const alone = { [field.name]: value }
  const errors = validateField(field, alone, { conditionContext, validateSchema, today, beside: [field] })
  return Object.keys(errors).length === 0
}

/**
 * Names of the fields marked `hidden` whose default a change to a stored record may set: they have no value, and their
 * conditions do not hold with the stored answers.
 */
export function revealedDefaults(
  groups: Group[],
  stored: Values,
  conditionContext: ConditionContext,
): Set<string> {
  const { alwaysHidden, autoDefaultNames } = prepare(groups)
  const names = autoDefaultNames.filter((name) => alwaysHidden.has(name))
  if (names.length === 0) return NO_NAMES
  const before = withoutBlanks(stored)
  const visibleBefore = visibleIn(groups, conditionContext, before)
  return new Set(names.filter((name) => isRevealed(name, before, visibleBefore)))
}

const NO_NAMES = new Set<string>()

function isRevealed(name: string, before: Values, visibleBefore: VisibleState): boolean {
  return !(name in before) && !visibleBefore.fields.has(name)
}

/** Validates one visible field as `applyChanges` with `all` does; `answers` are those of all visible fields. */
export function validateField(
  field: Field,
  answers: Values,
  {
    conditionContext,
    validateSchema,
    today,
    beside,
  }: Pick<ChangeOptions, 'conditionContext' | 'validateSchema' | 'today'> & {
    /** The fields that its rules can name. */
    beside: Field[]
  },
): FieldErrors {
  const visibleAnswers = withoutBlanks({
    ...answers,
    [field.name]: normaliseValue(field, answers[field.name]),
  })
  const { [field.name]: answer, ...others } = visibleAnswers
  const visibleContext = { ...conditionContext, today, answers: visibleAnswers }
  const value = visibleRows(field, answer, visibleContext)
  const own = value === undefined ? {} : { [field.name]: value }
  const validated = { ...others, ...own }
  const group = { name: field.name, label: field.label, fields: [field] }
  const schema = toSchema([group], { ...visibleContext, answers: validated })
  const context = { ...conditionContext, today }
  return validateAnswers(schema, own, validateSchema, today, validated, context, labelsOf(beside))
}

function labelsOf(fields: Field[]): Map<string, string> {
  return new Map(fields.map(({ name, label }) => [name, label]))
}

/** Names whose value differs. */
export function changedNames(before: Values, after: Values): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => !isEqual(before[name], after[name]))
}

/** The changes that were sent, normalised; one that is the stored value in another spelling is that value. */
function normalisedChanges(groups: Group[], sent: Values, stored: Values): Values {
  const names = Object.keys(sent)
  if (names.length === 0) return sent
  const fields = prepare(groups).byName
  const changes = normaliseValues(
    names.flatMap((name) => fields.get(name) ?? []),
    sent,
  )
  for (const name of names) {
    const field = fields.get(name)
    if (!field || !(name in stored) || isEqual(changes[name], stored[name])) continue
    if (isEqual(changes[name], normaliseValue(field, stored[name]))) changes[name] = stored[name]
  }
  return changes
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

/** Deep equality of two JSON values. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  const [keys, others] = [Object.keys(a), Object.keys(b)]
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== others.length) return false
  return keys.every((key) => Object.hasOwn(b, key) && isEqual((a as Values)[key], (b as Values)[key]))
}

/** True if a rule ('after:dob') or a check of the field refers to one of the changing fields. */
function isCompared(field: Field | undefined, changing: Set<string>): boolean {
  return field !== undefined && comparedWith(field).some((name) => changing.has(name))
}

/** Remembers results by name: a repeat has many errors. */
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

const NOTHING_VISIBLE: VisibleState = { fields: new Map(), conditionContext: {} }

function visibleIn(groups: Group[], conditionContext: ConditionContext, answers: Values): VisibleState {
  const seen = evaluate(groups, { ...conditionContext, answers })
  const fields = fieldsByName(seen.groups)
  return {
    fields,
    conditionContext: { ...conditionContext, answers: pick(seen.answers, (name) => fields.has(name)) },
  }
}

const named = new WeakMap<Group[], Map<string, Field>>()

/** The fields of the groups by name, without notes, which have no value. */
function fieldsByName(groups: Group[]): Map<string, Field> {
  const known = named.get(groups)
  if (known) return known
  const withValue = groups.flatMap((g) => g.fields).filter(isQuestion)
  const fields = new Map(withValue.map((f) => [f.name, f]))
  named.set(groups, fields)
  return fields
}

interface Prepared {
  /** The fields of all groups by name, visible or not. */
  byName: Map<string, Field>
  /** Names of the fields marked `hidden`. */
  alwaysHidden: Set<string>
  /** Names of the fields that nobody answers: those marked `hidden`, and calculated ones. */
  ignored: Set<string>
  /** Names of the fields with an automatic default. */
  autoDefaultNames: string[]
}

const prepared = new WeakMap<Group[], Prepared>()

function prepare(groups: Group[]): Prepared {
  const known = prepared.get(groups)
  if (known) return known
  const fields = groups.flatMap((g) => g.fields)
  const made = {
    byName: new Map(fields.map((field) => [field.name, field])),
    alwaysHidden: new Set(fields.filter(({ attrs }) => attrs?.hidden).map(({ name }) => name)),
    ignored: new Set(fields.filter(({ attrs }) => attrs?.hidden || attrs?.calc).map(({ name }) => name)),
    autoDefaultNames: fields.filter(hasAutomaticDefault).map(({ name }) => name),
  }
  prepared.set(groups, made)
  return made
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
