import { asAnswer, calculate } from './calculate.ts'
import { chosenRow, sourcesOfChoose, sourcesOfCount } from './choose.ts'
import { presetOf } from './decimal.ts'
import type { Argument, ComputedDefault, Formula } from './formula.ts'
import type { Field, FieldAttrs } from './generated.ts'
import { resolvePath } from './lookupCall.ts'
import type { Operand } from './operand.ts'
import { fieldOfPath, sourceOfPath } from './seen.ts'
import { type ConditionContext, isPlainObject, isSet, rowsWhere, valueAt } from './when.ts'
import type { Holidays } from './workingDays.ts'

/** The computed default of a field; undefined for a literal. */
export function computedDefault({ attrs }: { attrs?: FieldAttrs }): ComputedDefault | undefined {
  return isPlainObject(attrs?.default) ? (attrs.default as unknown as ComputedDefault) : undefined
}

/** The path outside of the form that the default of a field comes from; undefined for other defaults. */
export function originOfDefault(field: { attrs?: FieldAttrs }): string | undefined {
  const preset = computedDefault(field)
  return preset && !preset.calc && sourceOfPath(preset.from) ? preset.from : undefined
}

/** True if an unanswered field takes its default as its value: a computed default, or any default of a hidden field. */
export function hasAutomaticDefault({ attrs }: Field): boolean {
  if (attrs?.calc) return false
  return isPlainObject(attrs?.default) || (attrs?.hidden === true && attrs.default !== undefined)
}

/** True if the value of a field is its default: in a new record, as long as nobody answered it. */
export function usesDefault({ name }: Field, { withDefaults, answers = {} }: ConditionContext): boolean {
  return withDefaults instanceof Set
    ? withDefaults.has(name)
    : !!withDefaults && !Object.hasOwn(answers, name)
}

/** Arguments of a field's calculation or computed default: fields of its form, numbers, texts and today. */
export function sourcesOf(field: Pick<Field, 'attrs'>): Argument[] {
  if (field.attrs?.calc === 'choose') return sourcesOfChoose(field.attrs.choose ?? [])
  if (field.attrs?.calc === 'count_rows') return sourcesOfCount(field.attrs)
  if (field.attrs?.calc) return field.attrs.of ?? []
  const preset = computedDefault(field)
  if (!preset) return []
  if (preset.calc) return preset.of
  const path = preset.from.slice(1)
  return path.includes('.') ? [] : [path]
}

const NO_HOLIDAYS: Holidays = new Set()

/** Value of a calculated field, or default of an unanswered one; `operandsOf` resolves its arguments. */
export function derivedValue(
  field: Field,
  conditionContext: ConditionContext,
  operandsOf: (argument: Argument) => Operand[],
): unknown {
  const { attrs = {} } = field
  const preset = computedDefault(field)
  const formula = attrs.calc ? (attrs as Formula) : preset?.calc ? preset : undefined
  if (formula?.calc === 'choose') {
    const { then } = chosenRow(attrs.choose ?? [], conditionContext) ?? {}
    const [operand] = then === undefined ? [] : operandsOf(then)
    return isSet(operand?.value) ? asAnswer(field, operand!.value) : undefined
  }
  if (formula?.calc === 'count_rows') {
    const [repeat] = formula.of ?? []
    return typeof repeat === 'string'
      ? asAnswer(field, rowsWhere(attrs.rows_when, repeat, conditionContext).length)
      : undefined
  }
  if (formula) {
    const holidays = attrs.calendar ? (conditionContext.holidays ?? NO_HOLIDAYS) : undefined
    return calculate(field, (formula.of ?? []).flatMap(operandsOf), formula, holidays)
  }
  if (!preset || preset.calc) return attrs.default === 'today' ? conditionContext.today : presetOf(field)
  const value = sourceOfPath(preset.from)
    ? valueAt(preset.from, conditionContext)
    : resolvePath(preset.from.slice(1), conditionContext)
  return isSet(value) ? asAnswer(field, value) : undefined
}

/**
 * Sorts derived fields topologically, each after the fields that `sourceNames` names; fields of a cycle, which
 * publication refuses, keep the form's order.
 */
export function inOrder(derived: Field[], sourceNames: (field: Field) => string[]): Field[] {
  const byName = new Map(derived.map((field) => [field.name, field]))
  const ordered = new Set<Field>()
  const open = new Set<Field>()
  const add = (field: Field) => {
    if (open.has(field)) return
    open.add(field)
    for (const name of sourceNames(field)) {
      const named = byName.get(name)
      if (named) add(named)
    }
    ordered.add(field)
  }
  for (const field of derived) add(field)
  return [...ordered]
}

/** Name of the field that an argument refers to; undefined for a number or a text. */
export function headOf(argument: Argument): string | undefined {
  return typeof argument === 'string' ? fieldOfPath(argument) : undefined
}
