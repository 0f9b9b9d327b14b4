import { holidaysAround } from '../../../contract/deadlines/holidaysAround.ts'
import type { Field, Group } from '../../../contract/generated.ts'
import { evaluateRow, withRow } from '../../../contract/visible.ts'
import { type ConditionContext, getIn, holds, isPlainObject, type Values } from '../../../contract/when.ts'
import { today } from '../../core/today.ts'
import { getAt } from './paths.ts'
import type { FormSection } from './sections.ts'

/** The groups at one place of the document, keyed by section, with their condition context. */
export interface Slice {
  at: string
  groups: Group[]
  conditionContext: ConditionContext
}

/** A form's sections by place: conditions see all fields of the same place, in any section. */
export function slicesOf(
  sections: FormSection[],
  document: Values,
  conditionContext: ConditionContext,
): Slice[] {
  return [...new Set(sections.map((s) => s.at))].map((at) => {
    const placeContext = conditionContextAt(document, at, conditionContext)
    return {
      at,
      conditionContext: placeContext,
      groups: groupsOf(
        sections,
        sections.filter((s) => s.at === at && holds(s.when, placeContext)),
      ),
    }
  })
}

const groupsOfSections = new WeakMap<FormSection[], Map<string, Group[]>>()

/**
 * The groups of some sections of a form, the same array every time, so that caches by identity (`visible`) stay valid.
 */
function groupsOf(sections: FormSection[], here: FormSection[]): Group[] {
  const known = groupsOfSections.get(sections) ?? new Map<string, Group[]>()
  groupsOfSections.set(sections, known)
  const key = here.map((s) => sections.indexOf(s)).join()
  const groups = known.get(key) ?? here.flatMap((s) => s.groups.map((g) => keyed(s, g)))
  known.set(key, groups)
  return groups
}

/** The group with names that are unique in its form; the same object as long as the group is the same. */
function keyed(section: FormSection, group: Group): Group {
  const { under } = group.attrs ?? {}
  const name = keyOf(section, group)
  const known = keyedGroups.get(group)
  if (known?.name === name) return known
  const made = {
    ...group,
    name,
    ...(under && { attrs: { ...group.attrs, under: keyOf(section, { ...group, name: under }) } }),
  }
  keyedGroups.set(group, made)
  return made
}

const keyedGroups = new WeakMap<Group, Group>()

export function conditionContextAt(
  document: Values,
  at: string,
  conditionContext: ConditionContext,
): ConditionContext {
  const answers = (getAt(document, at) ?? {}) as Values
  const holidays = holidaysAround(document, conditionContext)
  const seen = conditionContext.seenAt?.[at]
  return {
    ...conditionContext,
    form: document,
    answers,
    today: today(),
    ...(holidays && { holidays }),
    ...(seen && { seen }),
  }
}

/**
 * The condition context of a control in a repeat. Its `row` has the values of the control's row, calculated ones
 * included, over those of the enclosing rows. `value` is the repeat's value; the last parameter is the path below it.
 */
export function contextInRows(
  outer: ConditionContext,
  repeat: Field | undefined,
  value: unknown,
  [index, name, ...below]: string[],
): ConditionContext {
  const row = getIn(value, [index])
  if (name === undefined || !isPlainObject(row)) return outer
  const { values } = evaluateRow(repeat?.fields ?? [], row, outer)
  const column = repeat?.fields?.find((one) => one.name === name)
  return contextInRows(withRow(outer, values), column, values[name], below)
}

/** A group's name, unique in its form. */
export function keyOf(section: FormSection, group: Group): string {
  return `${section.key}-${group.name}`
}

const editable = new WeakMap<Group[], Group[]>()

/** The groups without read-only fields. */
export function editableGroups(groups: Group[]): Group[] {
  const isEditable = (f: Field) => !f.attrs?.read_only
  const known =
    editable.get(groups) ??
    groups.map((g) => (g.fields.every(isEditable) ? g : { ...g, fields: g.fields.filter(isEditable) }))
  editable.set(groups, known)
  return known
}
