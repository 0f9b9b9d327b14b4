import { fillsItself } from './computedDefault.ts'
import type { Field, Group } from './generated.ts'
import { type Seen, visibleRows, withKeptColumns } from './repeatRows.ts'
import { toSchema } from './schema.ts'
import { type FieldErrors, type SchemaValidator, validateAnswers, withoutBlanks } from './validateAnswers.ts'
import { evaluate, namesOfToday } from './visible.ts'
import { type ConditionContext, pathsOf, pick, type Values } from './when.ts'

export interface ChangeOptions {
  groups: Group[]
  stored: Values
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
  /** Those of `values` that are visible now; hidden ones are kept but not validated. */
  visibleValues: Values
  /** Names whose value differs from what was stored. */
  changed: string[]
  errors: FieldErrors
  /** Names of visible fields that are missing or invalid, whether reported or not, in the order of the form. */
  invalid: string[]
}

/**
 * What a change makes of a set of values. Keys of fields that are hidden, switched off or calculated are ignored; a field
 * that is hidden always has its default from the change on that first shows it. A stored answer is cleared only if its
 * field was visible with the stored answers and `sent` hides it: what the form itself, the clock or a list hides is kept.
 * A stored choice stays valid.
 */
export function applyChanges({
  groups,
  stored,
  sent,
  conditionContext: given,
  validateSchema,
  today,
  all,
  onlyFields,
}: ChangeOptions): ChangeResult {
  const conditionContext = { ...given, today }
  const before = withoutBlanks(stored)
  const { neverAsked, fillingThemselves } = prepare(groups)
  const asked = neverAsked.size > 0 ? pick(sent, (name) => !neverAsked.has(name)) : sent
  const merged = withoutBlanks({ ...before, ...asked })
  // A new record has seen nothing before.
  const seenBefore =
    all && Object.keys(before).length === 0 ? NOTHING_SEEN : visibleIn(groups, conditionContext, before)
  const isUntouched = (name: string) =>
    neverAsked.has(name)
      ? isRevealed(name, before, seenBefore)
      : !(name in before) && conditionContext.withDefaults === true && !Object.hasOwn(sent, name)
  const withDefaults = new Set(fillingThemselves.filter(isUntouched))
  const { groups: visibleGroups, answers } = evaluate(groups, {
    ...conditionContext,
    withDefaults,
    answers: merged,
  })
  const fields = fieldsByName(visibleGroups)
  const visibleContext = { ...conditionContext, answers: pick(answers, (name) => fields.has(name)) }
  const ofToday = namesOfToday(groups)

  const values: Values = {}
  const validated: Values = {}
  for (const name of new Set([...Object.keys(before), ...Object.keys(visibleContext.answers)])) {
    const field = fields.get(name)
    if (field && name in answers) {
      validated[name] = visibleRows(field, answers[name], visibleContext)
      if (ofToday.has(name)) continue
      const given = { rows: answers[name], conditionContext: visibleContext }
      values[name] = withKeptColumns(field, validated[name], given, before[name], seenBefore)
    } else if (!field && name in before && !seenBefore.fields.has(name)) values[name] = before[name]
  }
  const isIncluded = (name: string) => !onlyFields || onlyFields.has(name)
  const schema = toSchema(onlyFields ? withFields(visibleGroups, isIncluded) : visibleGroups, {
    ...conditionContext,
    answers: validated,
  })
  const allErrors = validateAnswers(
    schema,
    onlyFields ? pick(validated, isIncluded) : validated,
    validateSchema,
    today,
    validated,
    conditionContext,
    onlyFields && labelsOf(visibleGroups.flatMap((g) => g.fields)),
  )
  // Nobody could put it right, so what does not suit a field that is never asked is no value of it.
  for (const path of Object.keys(allErrors)) {
    const name = topLevelName(path)
    if (!neverAsked.has(name)) continue
    delete allErrors[path]
    delete validated[name]
    if (name in before) values[name] = before[name]
    else delete values[name]
  }
  const changed = changedNames(before, values)
  const revealed = new Set([...fields.keys()].filter((name) => !seenBefore.fields.has(name)))
  const moved = new Set([...Object.keys(sent), ...changed])
  const errors = all
    ? allErrors
    : pickErrors(
        allErrors,
        (name) => name in sent || revealed.has(name) || isCompared(fields.get(name), moved),
      )
  const failing = new Set(Object.keys(allErrors).map(topLevelName))
  return {
    values,
    visibleValues: pick(validated, (name) => !ofToday.has(name)),
    changed,
    errors,
    invalid: [...fields.keys()].filter((name) => failing.has(name)),
  }
}

/**
 * Names of the fields of a stored record that a change gives their default: they are hidden always, and with what is
 * stored no condition showed them.
 */
export function revealedDefaults(
  groups: Group[],
  stored: Values,
  conditionContext: ConditionContext,
): Set<string> {
  const { neverAsked, fillingThemselves } = prepare(groups)
  const names = fillingThemselves.filter((name) => neverAsked.has(name))
  if (names.length === 0) return NO_NAMES
  const before = withoutBlanks(stored)
  const seenBefore = visibleIn(groups, conditionContext, before)
  return new Set(names.filter((name) => isRevealed(name, before, seenBefore)))
}

const NO_NAMES = new Set<string>()

function isRevealed(name: string, before: Values, seenBefore: Seen): boolean {
  return !(name in before) && !seenBefore.fields.has(name)
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
  const visibleAnswers = withoutBlanks(answers)
  const { [field.name]: given, ...others } = visibleAnswers
  const visibleContext = { ...conditionContext, today, answers: visibleAnswers }
  const value = visibleRows(field, given, visibleContext)
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

/** Deep equality of two JSON values. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  const [keys, others] = [Object.keys(a), Object.keys(b)]
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== others.length) return false
  return keys.every((key) => Object.hasOwn(b, key) && isEqual((a as Values)[key], (b as Values)[key]))
}

/** Whether a rule compares the field with one that changes ('after:dob'), or one of its checks looks at such a one. */
function isCompared(field: Field | undefined, changing: Set<string>): boolean {
  return field !== undefined && comparedWith(field).some((name) => changing.has(name))
}

/** Names of the answers that the rules and checks of a field look at, those of its columns too. */
export function comparedWith({ attrs, fields = [] }: Field): string[] {
  return [
    ...(attrs?.rules ?? []).flatMap((rule) => rule.split(':').slice(1)),
    ...(attrs?.checks ?? []).flatMap(({ when }) => pathsOf(when).map((path) => path.split('.')[0])),
    ...fields.flatMap(comparedWith),
  ]
}

const NOTHING_SEEN: Seen = { fields: new Map(), conditionContext: {} }

function visibleIn(groups: Group[], conditionContext: ConditionContext, answers: Values): Seen {
  const seen = evaluate(groups, { ...conditionContext, answers })
  const fields = fieldsByName(seen.groups)
  return {
    fields,
    conditionContext: { ...conditionContext, answers: pick(seen.answers, (name) => fields.has(name)) },
  }
}

const named = new WeakMap<Group[], Map<string, Field>>()

/** The fields that have a value. */
function fieldsByName(groups: Group[]): Map<string, Field> {
  const known = named.get(groups)
  if (known) return known
  const withValue = groups.flatMap((g) => g.fields).filter(({ type }) => type !== 'note')
  const fields = new Map(withValue.map((f) => [f.name, f]))
  named.set(groups, fields)
  return fields
}

interface Prepared {
  /** Names of the fields that are hidden always. */
  neverAsked: Set<string>
  /** Names of the fields that have a value by default, before anybody answers them. */
  fillingThemselves: string[]
}

const prepared = new WeakMap<Group[], Prepared>()

function prepare(groups: Group[]): Prepared {
  const known = prepared.get(groups)
  if (known) return known
  const fields = groups.flatMap((g) => g.fields)
  const made = {
    neverAsked: new Set(fields.filter(({ attrs }) => attrs?.hidden).map(({ name }) => name)),
    fillingThemselves: fields.filter(fillsItself).map(({ name }) => name),
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
