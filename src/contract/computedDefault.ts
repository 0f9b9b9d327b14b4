import { asAnswer, calculate } from './calculate.ts'
import type { Argument, ComputedDefault, Formula, Operand } from './calculations.ts'
import { presetOf } from './decimal.ts'
import type { Field, FieldAttrs } from './generated.ts'
import { resolvePath } from './lookupCall.ts'
import { type ConditionContext, isPlainObject, isSet } from './when.ts'

/** The default of a field that follows others; undefined for a literal. */
export function computedDefault({ attrs }: { attrs?: FieldAttrs }): ComputedDefault | undefined {
  return isPlainObject(attrs?.default) ? (attrs.default as unknown as ComputedDefault) : undefined
}

/** Whether a field that nobody filled in has a value all the same: one that follows others, or that of a hidden field. */
export function fillsItself({ attrs }: Field): boolean {
  if (attrs?.calc) return false
  return isPlainObject(attrs?.default) || (attrs?.hidden === true && attrs.default !== undefined)
}

/** Whether a field has what its default gives now: in a new record while nobody answered it. */
export function isUntouched({ name }: Field, { withDefaults, answers = {} }: ConditionContext): boolean {
  return withDefaults instanceof Set
    ? withDefaults.has(name)
    : !!withDefaults && !Object.hasOwn(answers, name)
}

/** What a field is calculated from, or begins as: fields of its form, numbers, texts and the day. */
export function sourcesOf(field: Pick<Field, 'attrs'>): Argument[] {
  if (field.attrs?.calc) return field.attrs.of ?? []
  const preset = computedDefault(field)
  if (!preset) return []
  if (preset.calc) return preset.of
  const path = preset.from.slice(1)
  return path.includes('.') ? [] : [path]
}

/** The value of a calculated field, or of a field that nobody answered; `operandsOf` finds what its arguments stand for. */
export function derivedValue(
  field: Field,
  conditionContext: ConditionContext,
  operandsOf: (argument: Argument) => Operand[],
): unknown {
  const { attrs = {} } = field
  const preset = computedDefault(field)
  const formula = attrs.calc ? (attrs as Formula) : preset?.calc ? preset : undefined
  if (formula) return calculate(field, (formula.of ?? []).flatMap(operandsOf), formula)
  if (!preset || preset.calc) return attrs.default === 'today' ? conditionContext.today : presetOf(field)
  const value = resolvePath(preset.from.slice(1), conditionContext)
  return isSet(value) ? asAnswer(field, value) : undefined
}

/** Fields that follow others, each after those that it names; of a circle, which is refused at a publication, in the form's order. */
export function inOrder(following: Field[]): Field[] {
  const byName = new Map(following.map((field) => [field.name, field]))
  const ordered = new Set<Field>()
  const open = new Set<Field>()
  const add = (field: Field) => {
    if (open.has(field)) return
    open.add(field)
    for (const one of sourcesOf(field)) {
      const named = byName.get(headOf(one) ?? '')
      if (named) add(named)
    }
    ordered.add(field)
  }
  for (const field of following) add(field)
  return [...ordered]
}

/** The field that an argument names. */
export function headOf(argument: Argument): string | undefined {
  return typeof argument === 'string' ? argument.split('.')[0] : undefined
}
