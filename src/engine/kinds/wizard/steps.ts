import type { Contract } from '../../../contract/contract.ts'
import { editableFields } from '../../../contract/entity.ts'
import type { Field, Step, WizardScreen } from '../../../contract/generated.ts'
import type { ConditionContext } from '../../../contract/when.ts'
import { isWithin, parentOf } from '../../form/store/paths.ts'
import { type FormSection, type PresetField, resolveSections } from '../../form/store/sections.ts'

/**
 * The form sections of a step. `conditionContext` needs no answers, only the user and what the screen reads (`with`).
 */
export function stepSections(
  contract: Contract,
  step: Step,
  conditionContext: ConditionContext,
): FormSection[] {
  const at = step.at ?? ''
  if (step.repeat) {
    const group = { name: 'rows', label: '', fields: [rowsOf(contract, step)] }
    return [{ key: step.id, at: parentOf(at), groups: [group] }]
  }
  const declared = step.groups ?? [step.fields ? { fields: step.fields } : {}]
  return resolveSections(contract, declared, step.entity, conditionContext, 'create', at).map((section) => ({
    ...section,
    key: `${step.id}-${section.key}`,
    groups: section.groups.map((g) => ({ ...g, fields: g.fields.map(asCreatable) })),
  }))
}

/**
 * Rewrites lookup parameters for a wizard with all steps on one page, where a list depends on a field of the same form:
 * `$case.service` becomes `$form.service`.
 */
export function withinForm(screen: WizardScreen, sections: FormSection[]): FormSection[] {
  const inForm = (param: unknown) => {
    const path = pathInForm(screen, String(param))
    return path === undefined ? param : `$form.${path}`
  }
  const rewritten = (field: Field): Field => {
    const { lookup_params } = field.attrs ?? {}
    if (!lookup_params) return field
    const params = Object.entries(lookup_params).map(([name, param]) => [name, inForm(param)])
    return { ...field, attrs: { ...field.attrs, lookup_params: Object.fromEntries(params) } }
  }
  return sections.map((section) => ({
    ...section,
    groups: section.groups.map((group) => ({ ...group, fields: group.fields.map(rewritten) })),
  }))
}

/** The step that a path of the document belongs to: the one with the nearest place; the first for the root. */
export function stepOf({ steps }: WizardScreen, path: string): Step {
  const owners = steps.filter((s) => s.at && isWithin(path, s.at))
  return owners.sort((a, b) => b.at!.length - a.at!.length)[0] ?? steps[0]
}

/** Later steps with a lookup that depends on a value of the first one: their answers may become invalid. */
export function stepsHangingOn(
  contract: Contract,
  screen: WizardScreen,
  conditionContext: ConditionContext,
  path: string,
): Step[] {
  const [, ...later] = screen.steps
  const hangs = (field: Field): boolean =>
    Object.values(field.attrs?.lookup_params ?? {}).some((v) => pathInForm(screen, String(v)) === path) ||
    (field.fields ?? []).some(hangs)
  return later.filter((step) =>
    stepSections(contract, step, conditionContext).some((s) => s.groups.some((g) => g.fields.some(hangs))),
  )
}

/**
 * The path in the document that a lookup parameter such as `$case.service` refers to, by the names in the screen's
 * `with`; undefined if it refers to something else.
 */
function pathInForm({ with: named = {} }: WizardScreen, given: string): string | undefined {
  if (!given.startsWith('$')) return undefined
  const [head, ...rest] = given.slice(1).split('.')
  const is = head === 'form' ? 'form' : named[head]?.is
  if (is !== 'form' && !is?.startsWith('form.')) return undefined
  return [...is.split('.').slice(1), ...rest].join('.')
}

/** The sections without the automatic selection of an only choice. */
export function withoutOnlyChoices(sections: FormSection[]): FormSection[] {
  const plain = (field: PresetField): Field => {
    const { preset, ...rest } = field
    return preset === 'only' ? rest : field
  }
  return sections.map((section) => ({
    ...section,
    groups: section.groups.map((group) => ({ ...group, fields: group.fields.map(plain) })),
  }))
}

const rowFields = new WeakMap<Step, Field>()

function rowsOf(contract: Contract, step: Step): Field {
  let field = rowFields.get(step)
  if (!field) {
    const name = step.at?.split('.').at(-1) ?? step.id
    const columns = [...editableFields(contract.entities[step.entity!])]
    field = { name, label: step.title, type: 'repeat', fields: columns }
    rowFields.set(step, field)
  }
  return field
}

const creatableFields = new WeakMap<Field, Field>()

/** A read-only property can be set at creation, and must be: its field becomes editable and required. */
function asCreatable(field: Field): Field {
  if (!field.attrs?.read_only) return field
  let creatable = creatableFields.get(field)
  if (!creatable) {
    const { read_only: _, ...attrs } = field.attrs
    creatable = { ...field, attrs: { ...attrs, required: true } }
    creatableFields.set(field, creatable)
  }
  return creatable
}
