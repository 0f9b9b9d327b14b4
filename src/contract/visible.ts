import type { Field, Group } from './types.ts'
import { holds, type Scope, type Values } from './when.ts'

/**
 * The groups as this person sees this record now: what is switched off or hidden by its condition is gone, so it is
 * neither drawn nor required nor judged. Hidden fields count as unset, to a fixpoint; a circle of conditions settles
 * as the last of a bounded number of rounds.
 */
export function visible(groups: Group[], scope: Scope): Group[] {
  const on = groups
    .filter((g) => g.attrs?.is_on !== false)
    .map((g) => ({ ...g, fields: g.fields.filter((f) => f.attrs?.is_on !== false) }))
  const conditional = on.some((g) => g.attrs?.when || g.fields.some((f) => f.attrs?.when))
  if (!conditional) return on.filter((g) => g.fields.length > 0)
  const known = namesOf(groups)
  let shown = on
  let names = namesOf(on)
  for (let round = 0; round <= known.size; round++) {
    const seen = { ...scope, answers: without(scope.answers ?? {}, known, names) }
    shown = on
      .filter((g) => holds(g.attrs?.when, seen))
      .map((g) => ({ ...g, fields: visibleFields(g.fields, seen) }))
      .filter((g) => g.fields.length > 0)
    const next = namesOf(shown)
    if (next.size === names.size && [...next].every((n) => names.has(n))) break
    names = next
  }
  return shown
}

/** The fields of one row of a repeat that are on and whose condition holds; conditions look in the row first. */
export function visibleRow(fields: Field[], row: Values, scope: Scope): Field[] {
  const [group] = visible([{ name: 'row', label: 'row', fields }], {
    ...scope,
    answers: { ...scope.answers, ...row },
  })
  return group?.fields ?? []
}

function visibleFields(fields: Field[], scope: Scope): Field[] {
  return fields.filter((f) => holds(f.attrs?.when, scope))
}

function namesOf(groups: Group[]): Set<string> {
  return new Set(groups.flatMap((g) => g.fields.map((f) => f.name)))
}

/** Answers without those of hidden fields; what stands around a row stays in sight of its conditions. */
function without(answers: Values, known: Set<string>, shown: Set<string>): Values {
  return Object.fromEntries(Object.entries(answers).filter(([name]) => shown.has(name) || !known.has(name)))
}
