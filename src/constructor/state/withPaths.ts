import { computedDefault } from '../../contract/computedDefault.ts'
import { PLACEHOLDER, withTextsReplaced } from '../../contract/filledTexts.ts'
import { type Argument, type ComputedDefault, TODAY } from '../../contract/formula.ts'
import type { ChooseRow, FieldAttrs } from '../../contract/generated.ts'
import { sourceOfPath } from '../../contract/seen.ts'
import {
  isElsewhere,
  isOtherPath,
  isPlainObject,
  isRowsTest,
  type Operand,
  type Test,
  type When,
} from '../../contract/when.ts'
import type { Item } from './address.ts'

/** Returns the new name of a field, or of a path to an answer of the case ('$case.x'), or the same one. */
export type Rename = (name: string) => string

/**
 * Renames the field references of a group or field: in conditions, calculations, rules, lookup parameters and texts.
 */
export function withPaths<T extends Item>(item: T, rename: Rename): T {
  const attrs: FieldAttrs | undefined = item.attrs
  const label = inText(item.label, rename)
  return { ...item, label, ...(attrs && { attrs: attrsWith(attrs, rename) }) }
}

function attrsWith(attrs: FieldAttrs, rename: Rename): FieldAttrs {
  const { when, required_when, checks, of, choose, rows_when, rows_from, rules, lookup_params } = attrs
  const texts = withTextsReplaced(attrs, (text) => inText(text, rename))
  return {
    ...texts,
    ...(when && { when: inCondition(when, rename) }),
    ...(required_when && { required_when: inCondition(required_when, rename) }),
    ...(checks && { checks: texts.checks!.map((one) => ({ ...one, when: inCondition(one.when, rename) })) }),
    ...(of && { of: inArguments(of, rename) }),
    ...(rows_from && { rows_from: rename(rows_from) }),
    ...(rows_when && { rows_when: inRowCondition(rows_when, (path) => inPath(path, rename)) }),
    ...(choose && { choose: choose.map((row) => inChooseRow(row, rename)) }),
    ...(isPlainObject(attrs.default) && { default: inDefault(computedDefault({ attrs })!, rename) }),
    ...(rules && { rules: rules.map((rule) => inRule(rule, rename)) }),
    ...(lookup_params && {
      lookup_params: Object.fromEntries(
        Object.entries(lookup_params).map(([key, value]) => [
          key,
          typeof value === 'string' && value.startsWith('$') ? inParameter(value, rename) : value,
        ]),
      ),
    }),
  }
}

function inParameter(value: string, rename: Rename): string {
  return sourceOfPath(value) ? inPath(value, rename) : `$${inPath(value.slice(1), rename)}`
}

function inArguments(of: Argument[], rename: Rename): Argument[] {
  return of.map((one) => (typeof one === 'string' && one !== TODAY ? inPath(one, rename) : one))
}

function inChooseRow({ when, then }: ChooseRow, rename: Rename): ChooseRow {
  return {
    ...(when && { when: inCondition(when, rename) }),
    ...(then !== undefined && { then: inArguments([then], rename)[0] }),
  }
}

function inDefault(preset: ComputedDefault, rename: Rename): ComputedDefault {
  if (preset.calc) return { ...preset, of: inArguments(preset.of, rename) }
  if (sourceOfPath(preset.from)) return { from: inPath(preset.from, rename) }
  return preset.from.includes('.') ? preset : { from: `$${rename(preset.from.slice(1))}` }
}

function inCondition(when: When, rename: Rename): When {
  return conditionWith(when, (path) => inPath(path, rename))
}

export function conditionWith(when: When, pathOf: Rename): When {
  return Object.fromEntries(
    Object.entries(when).map(([path, test]) =>
      path === 'any'
        ? [path, (test as When[]).map((one) => conditionWith(one, pathOf))]
        : [pathOf(path), inTest(test as Test, pathOf)],
    ),
  )
}

function inTest(test: Test, pathOf: Rename): Test {
  const inOperands = (one: unknown): unknown =>
    Array.isArray(one)
      ? one.map(inOperands)
      : isOtherPath(one as Operand)
        ? { path: pathOf((one as { path: string }).path) }
        : one
  if (!isPlainObject(test) || isOtherPath(test)) return inOperands(test) as Test
  const isOfRows = isRowsTest(test)
  return Object.fromEntries(
    Object.entries(test).map(([key, one]) => [
      key,
      isOfRows && isPlainObject(one) && !isOtherPath(one as Test)
        ? inRowCondition(one as When, pathOf)
        : inOperands(one),
    ]),
  ) as Test
}

/** The condition of a row, whose columns keep their names. */
function inRowCondition(when: When, pathOf: Rename): When {
  return Object.fromEntries(
    Object.entries(when).map(([path, test]) => [
      path,
      path === 'any'
        ? (test as When[]).map((one) => inRowCondition(one, pathOf))
        : inTest(test as Test, pathOf),
    ]),
  )
}

function inRule(rule: string, rename: Rename): string {
  const [name, other] = rule.split(':')
  return other === undefined ? rule : `${name}:${rename(other)}`
}

/** Renames the field that a path begins with. */
export function inPath(path: string, rename: Rename): string {
  if (isElsewhere(path)) return path
  const source = sourceOfPath(path)
  // The last record has the same form; fields of the client keep their names.
  if (source === 'last') return `$last.${inPath(path.slice('$last.'.length), rename)}`
  if (source === 'client') return path
  if (source === 'case') {
    const [head, name, ...parts] = path.split('.')
    return [rename(`${head}.${name}`), ...parts].join('.')
  }
  const [head, ...rest] = path.split('.')
  return [rename(head), ...rest].join('.')
}

/** Renames the field references of a text. */
export function inText(text: string, rename: Rename): string {
  return text.replaceAll(PLACEHOLDER, (found, name) =>
    name === undefined ? found : `{${inPath(name, rename)}}`,
  )
}
