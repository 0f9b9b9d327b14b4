import { applyChanges, type ChangeOptions, type ChangeResult, changedNames } from './applyChanges.ts'
import type { Field, FieldType, Group } from './generated.ts'
import { type FieldErrors, withoutBlanks } from './validateAnswers.ts'
import { isPlainObject, isSet, type Values } from './when.ts'

interface EarlierResult extends ChangeResult {
  /** Those of `values` whose fields are visible only in an earlier version of the form, with that version. */
  earlier: { groups: Group[]; values: Values }[]
}

/**
 * Like `applyChanges`, for a person whose form may be an earlier version: a sent value of a field or column that is no
 * longer visible is accepted if it is visible and valid in one of the `versions` since (newest first). Waits for
 * `nextTurn` between versions, because each may be a large form.
 */
export async function applyEarlierVersions(
  options: ChangeOptions,
  versions: Group[][],
  nextTurn: () => Promise<unknown>,
): Promise<EarlierResult> {
  const now = applyChanges(options)
  if (!Object.entries(options.sent).some(([name, value]) => isLost(value, now.visibleValues[name])))
    return { ...now, earlier: [] }
  const earlier: EarlierResult['earlier'] = []
  const values = { ...now.values }
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
        const visibleNow = now.visibleValues[name]
        values[name] = withColumns(values[name], visibleNow, value, (at) =>
          isWrong(`${name}.${at}`, then.errors),
        )
      } else if (!isWrong(name, then.errors)) {
        pending.delete(name)
        values[name] = then.values[name]
        adopted[name] = value
      }
    }
    if (Object.keys(adopted).length > 0) earlier.push({ groups, values: adopted })
  }
  return { ...now, values, changed: changedNames(withoutBlanks(options.stored), values), earlier }
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
 * Adds the columns that are visible only in an earlier version to the rows of a repeat; all lists have the order of the
 * sent rows.
 */
function withColumns(
  rows: unknown,
  visibleNow: unknown,
  earlier: unknown,
  isWrongAt: (at: string) => boolean,
): unknown {
  if (![rows, visibleNow, earlier].every(Array.isArray)) return rows
  return (rows as unknown[]).map((row, i) => {
    const [now, then] = [(visibleNow as unknown[])[i], (earlier as unknown[])[i]]
    if (!isPlainObject(row) || !isPlainObject(now) || !isPlainObject(then)) return row
    const hidden = Object.entries(then).filter(([name]) => !(name in now) && !isWrongAt(`${i}.${name}`))
    const inner = Object.entries(then)
      .filter(([name]) => name in now)
      .map(([name, value]) => {
        const isWrongBelow = (at: string) => isWrongAt(`${i}.${name}.${at}`)
        return [name, withColumns(row[name], now[name], value, isWrongBelow)]
      })
    return { ...row, ...Object.fromEntries(inner), ...Object.fromEntries(hidden) }
  })
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
