import { applyChanges, type ChangeResult } from '../../../contract/applyChanges.ts'
import type { ChangeOptions } from '../../../contract/evaluateChange.ts'
import type { Field, FieldType, Group } from '../../../contract/generated.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import { isPlainObject, isSet, type Values } from '../../../contract/when.ts'

interface EarlierResult extends ChangeResult {
  /** Those of `hidden` whose fields are visible only in an earlier version of the form, with that version. */
  earlier: { groups: Group[]; values: Values }[]
}

/**
 * Like `applyChanges`, for a person whose form may be an earlier version: a sent value of a field or column that is no
 * longer visible is kept as a hidden answer if it is visible and valid in one of the `versions` since (newest first).
 * Waits for `nextTurn` between versions, because each may be a large form.
 */
export async function applyEarlierVersions(
  options: ChangeOptions & { hidden: Values },
  versions: Group[][],
  nextTurn: () => Promise<unknown>,
): Promise<EarlierResult> {
  const now = applyChanges(options)
  if (!Object.entries(options.sent).some(([name, value]) => isLost(value, now.visibleValues[name])))
    return { ...now, earlier: [] }
  const earlier: EarlierResult['earlier'] = []
  const hidden = { ...now.hidden }
  const hiddenByChange = new Set(now.hiddenByChange)
  const types = typesOf(options.groups)
  const pending = new Set(Object.keys(options.sent))
  for (const groups of versions) {
    await nextTurn()
    const then = applyChanges({ ...options, groups, all: true })
    const typesThen = typesOf(groups)
    const adopted: Values = {}
    for (const [name, value] of Object.entries(then.visibleValues)) {
      if (!pending.has(name)) continue
      // An accepted answer must have the type that its field has now.
      if (types.has(name) && types.get(name) !== typesThen.get(name)) continue
      if (name in now.visibleValues) {
        const columns = onlyEarlier(now.visibleValues[name], value, options.sent[name], (at) =>
          isWrong(`${name}.${at}`, then.errors),
        )
        if (columns.length === 0) continue
        hidden[name] = addRows(hidden[name], columns)
        hiddenByChange.add(name)
      } else if (!isWrong(name, then.errors) && !(name in now.values)) {
        pending.delete(name)
        hidden[name] = value
        hiddenByChange.add(name)
        adopted[name] = value
      }
    }
    if (Object.keys(adopted).length > 0) earlier.push({ groups, values: adopted })
  }
  return { ...now, hidden, hiddenByChange, earlier }
}

/** All fields of the form, and the fields of answers accepted from earlier versions, as these versions define them. */
export function fieldsOf(groups: Group[], earlier: EarlierResult['earlier']): Field[] {
  const fields = groups.flatMap((g) => g.fields)
  if (earlier.length === 0) return fields
  const added = earlier.flatMap((one) =>
    one.groups.flatMap((g) => g.fields).filter(({ name }) => name in one.values),
  )
  return [...fields.filter(({ name }) => !added.some((one) => one.name === name)), ...added]
}

/**
 * The columns of sent rows that are visible only in an earlier version, by row ids; both lists have the order of the
 * sent rows. Rows without an id, which our forms do not send, have none.
 */
function onlyEarlier(
  visibleNow: unknown,
  earlier: unknown,
  sent: unknown,
  isWrongAt: (at: string) => boolean,
): Values[] {
  if (!Array.isArray(visibleNow) || !Array.isArray(earlier) || !Array.isArray(sent)) return []
  return earlier.flatMap((then, i) => {
    const now = visibleNow[i]
    if (!isPlainObject(then) || !isPlainObject(now) || then.row === undefined) return []
    const columns: Values = {}
    for (const [name, value] of Object.entries(then)) {
      if (!(name in now)) {
        if (name in sent[i] && !isWrongAt(`${i}.${name}`)) columns[name] = value
        continue
      }
      const inner = onlyEarlier(now[name], value, sent[i][name], (at) => isWrongAt(`${i}.${name}.${at}`))
      if (inner.length > 0) columns[name] = inner
    }
    return Object.keys(columns).length > 0 ? [{ row: then.row, ...columns }] : []
  })
}

/** Adds columns to hidden rows, by row ids. */
function addRows(hidden: unknown, added: Values[]): Values[] {
  const rows = (Array.isArray(hidden) ? hidden : []) as Values[]
  const others = rows.filter(({ row }) => !added.some((one) => one.row === row))
  const merged = added.map((one) => {
    const before = rows.find(({ row }) => row === one.row) ?? {}
    const columns = Object.entries(one).map(([name, value]) => [
      name,
      isRows(value) && isRows(before[name]) ? addRows(before[name], value) : value,
    ])
    return { ...before, ...Object.fromEntries(columns) }
  })
  return [...others, ...merged]
}

function isRows(value: unknown): value is Values[] {
  return Array.isArray(value) && value.every(isPlainObject)
}

/** True if a sent value, or one of the columns of its rows, is not visible. */
function isLost(sent: unknown, visible: unknown): boolean {
  if (!isSet(sent)) return false
  if (isPlainObject(sent) && isPlainObject(visible))
    return Object.entries(sent).some(([name, value]) => isLost(value, visible[name]))
  if (Array.isArray(sent) && Array.isArray(visible)) return sent.some((one, i) => isLost(one, visible[i]))
  return visible === undefined
}

function typesOf(groups: Group[]): Map<string, FieldType> {
  return new Map(groups.flatMap((g) => g.fields.map((f) => [f.name, f.type])))
}

function isWrong(path: string, errors: FieldErrors): boolean {
  return Object.keys(errors).some((one) => one === path || one.startsWith(`${path}.`))
}
