import { hasAutomaticDefault } from './computedDefault.ts'
import { isQuestion, normaliseValue, normaliseValues } from './fieldTypes.ts'
import { forAnybody } from './forAnybody.ts'
import type { Field, Group } from './generated.ts'
import { withHidden } from './hiddenRows.ts'
import { isEqual } from './isEqual.ts'
import type { VisibleState } from './repeatRows.ts'
import { type SchemaValidator, withoutBlanks } from './validateAnswers.ts'
import { isValidAlone } from './validateField.ts'
import { evaluate } from './visible.ts'
import { type ConditionContext, pick, type Values } from './when.ts'

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

/** A change with the form as it is evaluated by the answers before and after it. */
export interface Change {
  options: ChangeOptions
  form: Prepared
  conditionContext: ConditionContext
  /** The stored answers that count. */
  before: Values
  /** All stored answers. */
  known: Values
  /** The stored answers that the change starts from: all, if it brings hidden ones back. */
  base: Values
  /** The normalised keys to change. */
  sent: Values
  /** Those of `sent` whose field people can answer: it is neither calculated nor marked `hidden`. */
  accepted: Values
  visibleBefore: VisibleState
  /** The visible groups after the change, and their fields by name. */
  visibleGroups: Group[]
  fields: Map<string, Field>
  /** The answers after the change, with calculated values and defaults. */
  answers: Values
  visibleContext: ConditionContext
  /**
   * What is visible without the conditions on the user; set if hidden answers are stored apart and the form has such
   * conditions.
   */
  anybody: VisibleState | undefined
  isValid: (field: Field, value: unknown) => boolean
}

export function evaluateChange(options: ChangeOptions): Change {
  const { groups, hidden: hiddenBefore, bringsBack, validateSchema, all } = options
  const conditionContext = { ...options.conditionContext, today: options.today }
  const before = withoutBlanks(options.stored)
  const known = hiddenBefore ? withHidden(before, hiddenBefore) : before
  const base = bringsBack ? known : before
  const sent = normalisedChanges(groups, options.sent, known)
  const form = prepare(groups)
  const { byName, alwaysHidden, ignored, autoDefaultNames } = form
  const accepted = ignored.size > 0 ? pick(sent, (name) => !ignored.has(name)) : sent
  // An answer of no field is hidden, so conditions must not read it.
  const ofForm = (values: Values) => (hiddenBefore ? pick(values, (name) => byName.has(name)) : values)
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
  const mergedContext = { ...conditionContext, withDefaults, answers: merged }
  const { groups: visibleGroups, answers } = evaluate(groups, mergedContext)
  const fields = fieldsByName(visibleGroups)
  const visibleContext = { ...conditionContext, answers: pick(answers, (name) => fields.has(name)) }
  return {
    options,
    form,
    conditionContext,
    before,
    known,
    base,
    sent,
    accepted,
    visibleBefore,
    visibleGroups,
    fields,
    answers,
    visibleContext,
    anybody: hiddenBefore && anybodyIn(groups, mergedContext),
    isValid: (field, value) => isValidAlone(field, value, visibleContext, validateSchema),
  }
}

/** What is visible without the conditions on the user; undefined if the form has none. */
function anybodyIn(groups: Group[], conditionContext: ConditionContext): VisibleState | undefined {
  const stripped = forAnybody(groups)
  return stripped && visibleIn(stripped, conditionContext, conditionContext.answers ?? {})
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
  if (names.length === 0) return new Set()
  const before = withoutBlanks(stored)
  const visibleBefore = visibleIn(groups, conditionContext, before)
  return new Set(names.filter((name) => isRevealed(name, before, visibleBefore)))
}

function isRevealed(name: string, before: Values, visibleBefore: VisibleState): boolean {
  return !(name in before) && !visibleBefore.fields.has(name)
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
