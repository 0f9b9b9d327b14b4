import type { Field, Group } from './generated.ts'
import { type ConditionContext, holds, pathsOf, type Values } from './when.ts'

/** What is the same of a form whatever its answers: forms are replaced, never changed. */
interface Prepared {
  /** What is switched on. */
  groups: Group[]
  all: (Group | Field)[]
  isConditional: boolean
  /** Names of all fields, those that are switched off too. */
  known: Set<string>
  places: Map<string, [Group, Field][]>
  dependants: Map<string, (Group | Field)[]>
}
const prepared = new WeakMap<Group[], Prepared>()

/**
 * The visible groups and fields for this context; others are not rendered, required or validated. Hidden fields
 * count as unset, computed to a fixpoint; a circle of conditions stops after a bounded number of rounds.
 */
export function visible(groups: Group[], conditionContext: ConditionContext): Group[] {
  const form = prepare(groups)
  if (!form.isConditional) return form.groups.filter((g) => g.fields.length > 0)
  const holding = fixpoint(form, conditionContext)
  return form.groups
    .filter((g) => holding.has(g))
    .map((g) => ({ ...g, fields: g.fields.filter((f) => holding.has(f)) }))
    .filter((g) => g.fields.length > 0)
}

function prepare(groups: Group[]): Prepared {
  const done = prepared.get(groups)
  if (done) return done
  const on = groups
    .filter((g) => g.attrs?.is_on !== false)
    .map((g) => ({ ...g, fields: g.fields.filter((f) => f.attrs?.is_on !== false) }))
  const all = [...on, ...on.flatMap((g) => g.fields)]
  const places = new Map<string, [Group, Field][]>()
  for (const group of on)
    for (const field of group.fields)
      places.set(field.name, [...(places.get(field.name) ?? []), [group, field]])
  const form = {
    groups: on,
    all,
    isConditional: all.some((one) => one.attrs?.when),
    known: namesOf(groups),
    places,
    dependants: dependantsOf(all),
  }
  prepared.set(groups, form)
  return form
}

/** The groups and fields whose conditions hold. A round looks only at those that depend on what the one before changed. */
function fixpoint(
  { all, known, places, dependants }: Prepared,
  conditionContext: ConditionContext,
): Set<Group | Field> {
  const holding = new Set(all)
  const isShown = (name: string) => places.get(name)!.some(([g, f]) => holding.has(g) && holding.has(f))

  const shown = new Set(places.keys())
  const answers = without(conditionContext.answers ?? {}, known, shown)
  const visibleContext = { ...conditionContext, answers }
  let due = new Set(holding)
  for (let round = 0; round <= known.size && due.size > 0; round++) {
    const touched = new Set<string>()
    for (const one of due) {
      if (holds(one.attrs?.when, visibleContext) === holding.has(one)) continue
      if (!holding.delete(one)) holding.add(one)
      for (const { name } of isGroup(one) ? one.fields : [one]) touched.add(name)
    }
    due = new Set()
    for (const name of touched) {
      if (isShown(name) === shown.has(name)) continue
      if (shown.delete(name)) delete answers[name]
      else {
        shown.add(name)
        if (Object.hasOwn(conditionContext.answers ?? {}, name))
          answers[name] = conditionContext.answers![name]
      }
      for (const one of dependants.get(name) ?? []) due.add(one)
    }
  }
  return holding
}

/** The groups and fields whose conditions name an answer, by its name. */
function dependantsOf(all: (Group | Field)[]): Map<string, (Group | Field)[]> {
  const found = new Map<string, (Group | Field)[]>()
  for (const one of all) {
    for (const path of pathsOf(one.attrs?.when)) {
      const [name] = path.split('.')
      if (!found.get(name)?.push(one)) found.set(name, [one])
    }
  }
  return found
}

function isGroup(one: Group | Field): one is Group {
  return !('type' in one)
}

/** The fields of one row of a repeat that are on and whose condition holds; conditions look in the row first. */
export function visibleRow(fields: Field[], row: Values, conditionContext: ConditionContext): Field[] {
  const [group] = visible(groupOfRow(fields), {
    ...conditionContext,
    answers: { ...conditionContext.answers, ...row },
  })
  return group?.fields ?? []
}

const rowGroups = new WeakMap<Field[], Group[]>()

/** The same groups for the same columns, so that they are prepared once for all rows. */
function groupOfRow(fields: Field[]): Group[] {
  const groups = rowGroups.get(fields) ?? [{ name: 'row', label: 'row', fields }]
  rowGroups.set(fields, groups)
  return groups
}

function namesOf(groups: Group[]): Set<string> {
  return new Set(groups.flatMap((g) => g.fields.map((f) => f.name)))
}

/** Answers without those of hidden fields; what stands around a row stays in sight of its conditions. */
function without(answers: Values, known: Set<string>, visibleNames: Set<string>): Values {
  return Object.fromEntries(
    Object.entries(answers).filter(([name]) => visibleNames.has(name) || !known.has(name)),
  )
}
