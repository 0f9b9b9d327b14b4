import type { Contract } from '../../../contract/contract.ts'
import { editableFields } from '../../../contract/entity.ts'
import { offeredOptions, takesOneChoice } from '../../../contract/fieldTypes.ts'
import type { Field, Group, PublicFormScreen } from '../../../contract/generated.ts'
import { visible } from '../../../contract/visible.ts'
import { type ConditionContext, isPlainObject, type Values } from '../../../contract/when.ts'
import type { FormSection } from '../../form/store/sections.ts'
import { visibleValues } from '../../form/store/visibleValues.ts'

/** The form from the server, with all its choices. */
export interface PublicFormData {
  service: number
  title: string
  intro: string | null
  choices: Record<string, { value: number; label: string }[]>
  /** Groups of the meta: the default form first, then those for some council areas. */
  forms: { council_areas: number[]; version: number; groups: Group[] }[]
}

/** A page: one group of fields under its own heading. */
export interface PublicPage {
  id: string
  title: string
  section: FormSection
}

/** All pages, including invisible ones. */
export function allPages(
  contract: Contract,
  screen: PublicFormScreen,
  form: PublicFormData,
  document: Values,
): PublicPage[] {
  const fields = fieldsOf(contract, screen, form)
  const steps = screen.steps.map(({ id, title, fields: names }) => ({
    id,
    title,
    section: {
      key: id,
      at: '',
      groups: [{ name: id, label: '', fields: names.flatMap((name) => fields.get(name) ?? []) }],
    },
  }))
  const questions = groupsFor(screen, form, document).map((group) => ({
    id: `q-${group.name}`,
    title: group.label,
    section: {
      key: `q-${group.name}`,
      at: screen.at,
      groups: [{ ...group, label: '', fields: fieldsWithRadios(group) }],
      isMeta: true,
    },
  }))
  return [...steps, ...questions]
}

export function visiblePages(pages: PublicPage[], document: Values, context: ConditionContext): PublicPage[] {
  const visibleGroups = new Set<Group>()
  for (const at of new Set(pages.map(({ section }) => section.at))) {
    const groups = pages.filter(({ section }) => section.at === at).flatMap(({ section }) => section.groups)
    const answers = at === '' ? document : document[at]
    const found = visible(groups, { ...context, answers: isPlainObject(answers) ? answers : {} })
    const names = new Set(found.map(({ name }) => name))
    for (const group of groups) if (names.has(group.name)) visibleGroups.add(group)
  }
  return pages.filter(({ section }) => section.groups.some((group) => visibleGroups.has(group)))
}

/** The condition context around the document, with an anonymous user. */
export function contextOf({ service }: PublicFormData, document: Values): ConditionContext {
  return { user: { id: 0, groups: [] }, with: { case: { service }, client: document } }
}

/** The values of the visible fields, which are sent. */
export function valuesOf(pages: PublicPage[], document: Values, context: ConditionContext): Values {
  return visibleValues(
    pages.map(({ section }) => section),
    document,
    context,
  )
}

/** The document with the values of a page's own fields. */
export function withPage({ section }: PublicPage, document: Values, pageValues: Values): Values {
  const names = section.groups.flatMap(({ fields }) => fields.map(({ name }) => name))
  const pick = (values: unknown) =>
    Object.fromEntries(names.map((name) => [name, isPlainObject(values) ? values[name] : undefined]))
  const { at } = section
  if (at === '') return { ...document, ...pick(pageValues) }
  return { ...document, [at]: { ...(document[at] as Values), ...pick(pageValues[at]) } }
}

function groupsFor({ areaField }: PublicFormScreen, { forms }: PublicFormData, document: Values): Group[] {
  const area = areaField === undefined ? undefined : document[areaField]
  return (forms.find(({ council_areas }) => council_areas.includes(area as number)) ?? forms[0]).groups
}

const known = new WeakMap<PublicFormData, Map<string, Field>>()

/** The entity's fields with the choices of the form; cached, so that their identity is stable. */
function fieldsOf(
  contract: Contract,
  { entity }: PublicFormScreen,
  form: PublicFormData,
): Map<string, Field> {
  let fields = known.get(form)
  if (!fields) {
    const withChoices = editableFields(contract.entities[entity]).map((field) => {
      const { lookup, lookup_params: _, ...attrs } = field.attrs ?? {}
      return lookup ? { ...field, attrs: { ...attrs, options: form.choices[lookup] ?? [] } } : field
    })
    fields = new Map(withChoices.map((field) => [field.name, withRadios(field)]))
    known.set(form, fields)
  }
  return fields
}

/** Maximum number of choices for radio buttons, which are easier than a select for people who rarely fill in forms. */
const MAX_RADIOS = 5

function withRadios(field: Field): Field {
  const { length } = offeredOptions(field)
  if (!takesOneChoice(field) || length < 2 || length > MAX_RADIOS) return field
  return { ...field, attrs: { ...field.attrs, radios: true } }
}

const radiosOf = new WeakMap<Group, Field[]>()

/** The fields of a group of the meta; cached, so that their identity is stable. */
function fieldsWithRadios(group: Group): Field[] {
  const fields = radiosOf.get(group) ?? group.fields.map(withRadios)
  radiosOf.set(group, fields)
  return fields
}
