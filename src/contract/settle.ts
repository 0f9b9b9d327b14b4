import { type Check, type FieldErrors, judge, withoutBlanks } from './judge.ts'
import { toSchema } from './schema.ts'
import type { Field, Group } from './types.ts'
import { visible, visibleRow } from './visible.ts'
import type { Scope, Values } from './when.ts'

/** Rows of a repeat that are far too many, whatever its own limit. */
const LONGEST_LIST = 1000

interface Given {
  groups: Group[]
  stored: Values
  /** Keys to change; null clears. */
  sent: Values
  scope: Scope
  check: Check
  /** YYYY-MM-DD where the service works. */
  today: string
  /** Judge every visible field, as for a new record; otherwise only what was sent and what that reveals. */
  all?: boolean
  /** Names of the fields to judge, with `all`; omitted: every visible one. */
  due?: Set<string>
}
interface Settled {
  /** All values after the change, blanks left out. */
  values: Values
  /** Names whose value differs from what was stored. */
  changed: string[]
  errors: FieldErrors
  /** Names of visible fields that are missing or wrong, whether judged now or not, in the order of the form. */
  invalid: string[]
}

/**
 * What a change makes of a set of values. Keys of fields that are hidden or switched off are ignored; an answer that
 * its own condition now hides is cleared; a switched-off field keeps its answer; a stored choice stays valid.
 */
export function settle({ groups, stored, sent, scope, check, today, all, due }: Given): Settled {
  const before = withoutBlanks(stored)
  const known = new Map(groups.flatMap((g) => g.fields.map((f) => [f.name, { field: f, on: isOn(g, f) }])))
  const wanted = Object.fromEntries(Object.entries(sent).filter(([name]) => known.get(name)?.on))
  const merged = withoutBlanks({ ...before, ...wanted })
  const shown = visible(groups, { ...scope, answers: merged })
  const fields = new Map(shown.flatMap((g) => g.fields.map((f) => [f.name, f])))
  const seen = { ...scope, answers: pick(merged, (name) => fields.has(name)) }

  const values: Values = {}
  for (const [name, value] of Object.entries(merged)) {
    const place = known.get(name)
    if (!place?.on) values[name] = before[name]
    else if (fields.has(name)) values[name] = keptRows(place.field, value, before[name], seen)
  }
  const asked = Object.entries(values).filter(([name]) => fields.has(name))
  const judged = Object.fromEntries(
    asked.map(([name, value]) => [name, shownRows(fields.get(name)!, value, seen)]),
  )
  const isDue = (name: string) => !due || due.has(name)
  const schema = toSchema(due ? withFields(shown, isDue) : shown, { ...scope, answers: judged })
  const wrong = judge(schema, due ? pick(judged, isDue) : judged, check, today, judged)
  const shownBefore = namesShown(groups, scope, before)
  const revealed = new Set([...fields.keys()].filter((name) => !shownBefore.has(name)))
  const errors = all
    ? wrong
    : only(wrong, (name) => name in sent || revealed.has(name) || isCompared(fields.get(name), sent))
  const names = new Set([...Object.keys(before), ...Object.keys(values)])
  const failing = new Set(Object.keys(wrong).map(topOf))
  return {
    values,
    changed: [...names].filter((name) => !same(before[name], values[name])),
    errors,
    invalid: [...fields.keys()].filter((name) => failing.has(name)),
  }
}

/** Whether two JSON values are the same, keys in any order. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  const [keys, others] = [Object.keys(a), Object.keys(b)]
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== others.length) return false
  return keys.every((key) => Object.hasOwn(b, key) && same((a as Values)[key], (b as Values)[key]))
}

/** Whether a rule compares the field with one that was sent ('after:dob'). */
function isCompared(field: Field | undefined, sent: Values): boolean {
  return (field?.attrs?.rules ?? []).some((rule) => rule.includes(':') && rule.split(':')[1] in sent)
}

function isOn(group: Group, field: Field): boolean {
  return group.attrs?.is_on !== false && field.attrs?.is_on !== false
}

function namesShown(groups: Group[], scope: Scope, answers: Values): Set<string> {
  return new Set(visible(groups, { ...scope, answers }).flatMap((g) => g.fields.map((f) => f.name)))
}

function withFields(groups: Group[], keep: (name: string) => boolean): Group[] {
  return groups.map((g) => ({ ...g, fields: g.fields.filter((f) => keep(f.name)) }))
}

function topOf(path: string): string {
  return path.split('.')[0]
}

function only(errors: FieldErrors, keep: (name: string) => boolean): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => keep(topOf(path))))
}

/** Rows of a repeat without what their own answers hide; what a switched-off column holds stays as it was stored. */
function keptRows(field: Field, value: unknown, stored: unknown, scope: Scope): unknown {
  const off = new Set((field.fields ?? []).filter((f) => f.attrs?.is_on === false).map((f) => f.name))
  return eachRow(field, shownRows(field, value, scope), (row) => {
    const old = Array.isArray(stored)
      ? stored.find((one) => one?.row !== undefined && one.row === row.row)
      : {}
    return { ...row, ...pick(old ?? {}, (name) => off.has(name)) }
  })
}

/** Rows of a repeat with what they show alone. */
function shownRows(field: Field, value: unknown, scope: Scope): unknown {
  const columns = field.fields ?? []
  return eachRow(field, value, (row) => {
    const shown = new Set(visibleRow(columns, row, scope).map((f) => f.name))
    return pick(row, (name) => shown.has(name) || !columns.some((f) => f.name === name))
  })
}

function eachRow(field: Field, value: unknown, how: (row: Values) => Values): unknown {
  if (field.type !== 'repeat' || !Array.isArray(value)) return value
  // It is refused for its length, so its rows need not be looked at.
  if (value.length > Math.max(LONGEST_LIST, field.attrs?.max ?? 0)) return value
  return value.map((row) => (row === null || typeof row !== 'object' ? row : how(row)))
}

function pick(values: Values, wanted: (name: string) => boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => wanted(name)))
}
