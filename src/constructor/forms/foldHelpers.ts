import { kindOf } from '../../contract/calculate.ts'
import { computedDefault, sourcesOf } from '../../contract/computedDefault.ts'
import { namesInTexts } from '../../contract/filledTexts.ts'
import type { Argument } from '../../contract/formula.ts'
import type { ChooseRow, Field, Group } from '../../contract/generated.ts'
import { fieldsByName, placesOf } from '../../contract/meta/places.ts'
import { pathsOf, type Test, type When } from '../../contract/when.ts'
import { possible } from './possible.ts'

/** A calculation over hidden fields with a condition each, which can be one calculation by conditions. */
export interface Fold {
  /** Name of the calculated field. */
  name: string
  rows: ChooseRow[]
  /** Names of the hidden fields whose values and conditions the rows have. */
  helpers: string[]
}

/** Calculations that give the value of the one operand that has any. */
const COMBINING = ['first_set', 'sum', 'max', 'min', 'join_text']

/** All calculations of a form that can be folded. */
export function foldsOf(groups: Group[]): Fold[] {
  const all = fieldsByName(groups)
  const always = new Set(groups.filter(({ attrs }) => !attrs?.when).flatMap((g) => g.fields))
  return groups.flatMap((group) => group.fields.flatMap((field) => foldOf(field, all, always) ?? []))
}

function foldOf(field: Field, all: Map<string, Field>, always: Set<Field>): Fold | undefined {
  const { name, attrs = {} } = field
  const { calc, of = [] } = attrs
  if (!calc || !COMBINING.includes(calc) || of.length === 0) return undefined
  const helpers = of.map((one) => (typeof one === 'string' ? all.get(one) : undefined))
  const rows = helpers.map((helper) =>
    helper && always.has(helper) && kindOf(helper) === kindOf(field) ? rowOf(helper) : undefined,
  )
  if (!rows.every((row) => row !== undefined)) return undefined
  // A field may be unanswered while its condition holds, and then the next operand counts.
  const isInOrder = calc === 'first_set' && rows.every(({ then }) => typeof then !== 'string')
  if (!isInOrder && !areExclusive(rows, all)) return undefined
  return { name, rows: [...rows, {}], helpers: helpers.map((helper) => helper!.name) }
}

/** The condition and the value of a hidden field as a row; undefined if the field does more than that. */
function rowOf({ attrs = {} }: Field): Required<ChooseRow> | undefined {
  const { hidden, when, calc, of = [], default: preset } = attrs
  if (!hidden || !when || attrs.is_on === false) return undefined
  if (calc) {
    const isSame = of.length === 1 && COMBINING.includes(calc) && typeof of[0] === 'string'
    return isSame && !(of[0] as string).includes('.') ? { when, then: of[0] } : undefined
  }
  if (preset === undefined || preset === 'today' || computedDefault({ attrs }) || Array.isArray(preset))
    return undefined
  const then: Argument = typeof preset === 'number' ? preset : { text: preset as string }
  return { when, then }
}

/** True if at most one of the conditions can hold: each two exclude each other by a test of the same field. */
function areExclusive(rows: Required<ChooseRow>[], all: Map<string, Field>): boolean {
  return rows.every((row, i) => rows.slice(i + 1).every((other) => exclude(row.when, other.when, all)))
}

function exclude(one: When, other: When, all: Map<string, Field>): boolean {
  return Object.entries(one).some(
    ([path, test]) =>
      path !== 'any' &&
      Object.hasOwn(other, path) &&
      all.has(path) &&
      !possible([test as Test, other[path] as Test], all.get(path)),
  )
}

/**
 * The form with calculations folded. A hidden field that nothing else refers to is removed, or switched off if records
 * answer it; one that cases are searched by stays.
 */
export function withFolds(groups: Group[], folds: Fold[], isAnswered: (name: string) => boolean): Group[] {
  const byName = new Map(folds.map((fold) => [fold.name, fold]))
  const folded = groups.map((group) => ({
    ...group,
    fields: group.fields.map((field) => {
      const fold = byName.get(field.name)
      if (!fold) return field
      const { of: _, ...attrs } = field.attrs ?? {}
      return { ...field, attrs: { ...attrs, calc: 'choose' as const, choose: fold.rows } }
    }),
  }))
  const used = namesUsed(folded)
  const unused = new Set(folds.flatMap(({ helpers }) => helpers).filter((name) => !used.has(name)))
  return folded.map((group) => ({
    ...group,
    fields: group.fields.flatMap((field) => {
      if (!unused.has(field.name) || field.attrs?.report) return field
      return isAnswered(field.name) ? { ...field, attrs: { ...field.attrs, is_on: false } } : []
    }),
  }))
}

/** Names that conditions, calculations, rules, lists and texts of a form refer to. */
function namesUsed(groups: Group[]): Set<string> {
  const names = new Set<string>()
  const add = (path: string) => names.add(path.split('.', 1)[0])
  for (const { attrs } of groups) pathsOf(attrs?.when).forEach(add)
  for (const { field } of placesOf(groups)) {
    const { when, required_when, checks = [], rules = [], lookup_params = {} } = field.attrs ?? {}
    for (const one of [when, required_when, ...checks.map((check) => check.when)]) pathsOf(one).forEach(add)
    for (const one of sourcesOf(field)) if (typeof one === 'string') add(one)
    for (const rule of rules) if (rule.includes(':')) add(rule.split(':')[1])
    for (const value of Object.values(lookup_params))
      if (typeof value === 'string' && value.startsWith('$')) add(value.slice(1))
    if (field.attrs?.rows_from) add(field.attrs.rows_from)
    namesInTexts(field).forEach(add)
  }
  return names
}
