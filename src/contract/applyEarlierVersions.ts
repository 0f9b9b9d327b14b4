import { applyChanges, type ChangeOptions, type ChangeResult, changedNames } from './applyChanges.ts'
import type { Field, FieldType, Group } from './generated.ts'
import { type FieldErrors, withoutBlanks } from './validateAnswers.ts'
import type { Values } from './when.ts'
import { isPlainObject } from './when.ts'

interface EarlierResult extends ChangeResult {
  /** Of `values`, those that only an earlier version of the form asked for, with that version. */
  earlier: { groups: Group[]; values: Values }[]
}

/**
 * Like `applyChanges`, for a person whose form may be of an earlier version: what they sent for a field, or a column, that
 * the form hides by now is kept if one of the `versions` since (newest first) shows it and finds it valid.
 */
export function applyEarlierVersions(options: ChangeOptions, versions: Group[][]): EarlierResult {
  const now = applyChanges(options)
  if (versions.length === 0) return { ...now, earlier: [] }
  const earlier: EarlierResult['earlier'] = []
  const values = { ...now.values }
  const types = typesOf(options.groups)
  const isOpen = new Set(Object.keys(options.sent))
  for (const groups of versions) {
    const then = applyChanges({ ...options, groups, all: true })
    const typesThen = typesOf(groups)
    const adopted: Values = {}
    for (const [name, value] of Object.entries(then.visibleValues)) {
      if (!isOpen.has(name)) continue
      // Under one name there is never an answer of another type.
      if (types.has(name) && types.get(name) !== typesThen.get(name)) continue
      if (name in now.visibleValues) {
        const shown = now.visibleValues[name]
        values[name] = withColumns(values[name], shown, value, (at) => isWrong(`${name}.${at}`, then.errors))
      } else if (!isWrong(name, then.errors)) {
        isOpen.delete(name)
        values[name] = then.values[name]
        adopted[name] = value
      }
    }
    if (Object.keys(adopted).length > 0) earlier.push({ groups, values: adopted })
  }
  return { ...now, values, changed: changedNames(withoutBlanks(options.stored), values), earlier }
}

/** Every field of the form, and those that its earlier versions alone asked for. */
export function fieldsOf(groups: Group[], earlier: EarlierResult['earlier']): Field[] {
  const fields = groups.flatMap((g) => g.fields)
  if (earlier.length === 0) return fields
  const added = earlier.flatMap((one) =>
    one.groups.flatMap((g) => g.fields).filter(({ name }) => name in one.values),
  )
  return [...fields.filter(({ name }) => !added.some((one) => one.name === name)), ...added]
}

/** Rows of a repeat with the columns that an earlier version shows and this one hides, in the order of what was sent. */
function withColumns(
  rows: unknown,
  shown: unknown,
  earlier: unknown,
  isWrongAt: (at: string) => boolean,
): unknown {
  if (![rows, shown, earlier].every(Array.isArray)) return rows
  return (rows as unknown[]).map((row, i) => {
    const [now, then] = [(shown as unknown[])[i], (earlier as unknown[])[i]]
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

function typesOf(groups: Group[]): Map<string, FieldType> {
  return new Map(groups.flatMap((g) => g.fields.map((f) => [f.name, f.type])))
}

function isWrong(path: string, errors: FieldErrors): boolean {
  return Object.keys(errors).some((one) => one === path || one.startsWith(`${path}.`))
}
