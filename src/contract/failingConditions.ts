import { usesDefault } from './computedDefault.ts'
import type { Field, Group } from './generated.ts'
import type { Operand } from './operand.ts'
import { dependantsOf, isGroup, type PreparedForm } from './preparedForm.ts'
import { type ConditionContext, holds, type Values } from './when.ts'

/** The answers during an evaluation: hidden and derived ones change. */
export interface Evaluation {
  form: PreparedForm
  /** The answers, in a row those of the row. */
  values: Values
  /** Context of conditions and calculations; it contains `values`. */
  context: ConditionContext
  /** The present value of a name, in a row also from the answers around it. */
  read: (name: string) => unknown
  /** The value of a name before the evaluation. */
  given: (name: string) => unknown
  unset: (name: string) => void
  /** The value of a derived field; `known` caches the columns of rows until something that they depend on changes. */
  derive: (field: Field, known?: Map<string, Operand[]>) => unknown
}

/**
 * The groups and fields whose conditions fail: each name is evaluated once, after all that it depends on, which gives
 * the fixpoint of a form without circles.
 */
export function inOnePass(evaluation: Evaluation, order: string[]): Set<Group | Field> {
  const { form, context, unset } = evaluation
  const failing = new Set<Group | Field>()
  const passing = new Set<Group>()
  const derived = new Map(derivedFields(evaluation).map((field) => [field.name, field]))
  const columns = new Map<string, Operand[]>()
  const isGroupVisible = (group: Group) => {
    if (!passing.has(group) && !failing.has(group)) {
      if (holds(group.attrs?.when, context)) passing.add(group)
      else failing.add(group)
    }
    return passing.has(group)
  }
  for (const name of order) {
    let isVisible = false
    for (const [group, field] of form.places.get(name)!) {
      const isShown = holds(field.attrs?.when, context)
      if (!isShown) failing.add(field)
      isVisible = (isGroupVisible(group) && isShown) || isVisible
    }
    if (!isVisible) {
      unset(name)
      continue
    }
    const field = derived.get(name)
    if (field) setValue(evaluation, name, evaluation.derive(field, columns))
  }
  // A group without fields has no name that leads to it.
  for (const group of form.groups) isGroupVisible(group)
  return failing
}

/**
 * The same for a form with circles, whose result depends on the order: all names begin as visible, and each round
 * evaluates those that depend on a change of the previous one.
 */
export function inRounds(evaluation: Evaluation): Set<Group | Field> {
  const { form, context, read, given, unset } = evaluation
  const { conditional, known, places, derivedFrom } = form
  const dependants = dependantsOf(form)
  const derived = derivedFields(evaluation)
  const derivedNamed = new Map(derived.map((field) => [field.name, field]))
  const failing = new Set<Group | Field>()
  const hidden = new Set<string>()
  const isVisible = (name: string) => places.get(name)!.some(([g, f]) => !failing.has(g) && !failing.has(f))
  const derive = (field: Field) => {
    const value = evaluation.derive(field)
    const isChanged = value !== read(field.name)
    setValue(evaluation, field.name, value)
    return isChanged
  }
  for (const { name } of derived) unset(name)
  derived.forEach(derive)
  let due: Iterable<Group | Field> = conditional
  for (let round = 0; round <= known.size; round++) {
    const touched = new Set<string>()
    for (const one of due) {
      if (holds(one.attrs?.when, context) !== failing.has(one)) continue
      if (!failing.delete(one)) failing.add(one)
      for (const { name } of isGroup(one) ? one.fields : [one]) touched.add(name)
    }
    if (touched.size === 0) break
    const changed = new Set<string>()
    for (const name of touched) {
      if (isVisible(name) !== hidden.has(name)) continue
      if (!hidden.delete(name)) hidden.add(name)
      const revealed = derivedNamed.get(name)
      if (hidden.has(name)) unset(name)
      else setValue(evaluation, name, revealed ? evaluation.derive(revealed) : given(name))
      changed.add(name)
    }
    const affected = new Set([...changed].flatMap((name) => derivedFrom.get(name) ?? []))
    for (const [i, field] of form.derived.entries()) {
      const { name } = field
      if (!affected.has(i) || hidden.has(name) || !derivedNamed.has(name)) continue
      if (!derive(field)) continue
      changed.add(name)
      for (const next of derivedFrom.get(name) ?? []) affected.add(next)
    }
    due = new Set([...changed].flatMap((name) => dependants.get(name) ?? []))
  }
  return failing
}

function derivedFields({ form, context }: Evaluation): Field[] {
  return form.derived.filter((field) => field.attrs!.calc || usesDefault(field, context))
}

function setValue({ values, unset }: Evaluation, name: string, value: unknown): void {
  if (value === undefined) unset(name)
  else values[name] = value
}
