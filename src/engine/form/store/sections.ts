import { computedDefault, hasAutomaticDefault, sourcesOf } from '../../../contract/computedDefault.ts'
import type { Contract } from '../../../contract/contract.ts'
import { AREA } from '../../../contract/deadlines/holidaysAround.ts'
import { presetOf } from '../../../contract/decimal.ts'
import { editableFields, fieldOf } from '../../../contract/entity.ts'
import { namesInTexts } from '../../../contract/filledTexts.ts'
import type { Entity, Field, Group, Section } from '../../../contract/generated.ts'
import type { Occasion } from '../../../contract/setBy.ts'
import { type ConditionContext, pathsOf, type Values, valueAt, type When } from '../../../contract/when.ts'
import { today } from '../../core/today.ts'
import { join, setAt } from './paths.ts'
import { permittedField } from './permittedField.ts'

/**
 * A field whose values a screen offers as buttons: texts of values, choices, or the number of choices that are buttons.
 * With `only`, a single choice is selected by default.
 */
export interface PresetField extends Field {
  preset?: unknown[] | number | 'only'
}

/** A field whose choices are grouped under the values of another field; a choice sets both fields. */
export interface GroupedField extends Field {
  grouped?: {
    by: Field
    /** Key of a lookup item that has the value of that field. */
    key: string
    /** Values whose headings are listed first. */
    first: unknown[]
  }
  /** Name of the grouped field that sets this one, which then has no control of its own. */
  answeredBy?: string
}

/** A part of a form: raw groups (before `visible`) whose values are at one place of the document. */
export interface FormSection {
  key: string
  title?: string
  /** Dotted path; '' is the root of the document. */
  at: string
  groups: Group[]
  when?: When
  /** The section is a warning without fields. */
  isNote?: boolean
  /** In a read-only view, shows only fields with an answer. */
  isAnsweredOnly?: boolean
  /** Why its other fields have no answer, such as 'not asked'; omitted: they are not mentioned. */
  unanswered?: string
  /** Its groups come from a meta, of which a new version may be published while the form is open. */
  isMeta?: boolean
  /** Shows Why? buttons, which explain the conditions, calculations and checks of its fields. */
  explains?: boolean
  /** Has buttons that choose everything or nothing. */
  allOrNone?: boolean
}

/**
 * Resolves the sections of a screen, with the fields that `conditionContext.user` may set on this occasion; a meta that
 * is not loaded yet has no groups. `at` is the place of all of them.
 */
export function resolveSections(
  contract: Contract,
  sections: Section[],
  entity: string | undefined,
  conditionContext: ConditionContext,
  occasion: Occasion,
  at = '',
): FormSection[] {
  return sections.map((section, i) => ({
    key: `s${i}`,
    at: join(at, section.at ?? ''),
    groups: groupsOf(contract, section, section.entity ?? entity, conditionContext, occasion).map(
      section.optional ? withoutRequired : unchanged,
    ),
    ...(section.title && section.note === undefined && { title: section.title }),
    ...(section.note !== undefined && { isNote: true }),
    ...(section.when && { when: section.when }),
    ...(section.answered && { isAnsweredOnly: true }),
    ...(section.unanswered && { unanswered: section.unanswered }),
    ...(section.explains && { explains: true }),
    ...(section.allOrNone && { allOrNone: true }),
    ...(section.from?.startsWith('with.') && { isMeta: true }),
  }))
}

function withoutRequired(group: Group): Group {
  const fields = group.fields.map((field) => {
    const { required: _, required_when: __, ...attrs } = field.attrs ?? {}
    return { ...field, attrs }
  })
  return { ...group, fields }
}

const unchanged = (group: Group) => group

/** The default values of a new record; 'today' is the date in the time zone of the service. */
export function defaultsFor(sections: FormSection[]): Values {
  let document: Values = {}
  for (const { at, groups } of sections) {
    for (const [name, value] of Object.entries(defaultsOf(groups.flatMap((g) => g.fields)))) {
      document = setAt(document, join(at, name), value)
    }
  }
  return document
}

/** The default values of a new row, without automatic defaults (`hasAutomaticDefault`). */
export function defaultsOf(fields: Field[]): Values {
  const withDefault = fields.filter(
    (f) => f.attrs?.default !== undefined && f.attrs.is_on !== false && !hasAutomaticDefault(f),
  )
  return Object.fromEntries(withDefault.map((field) => [field.name, literal(presetOf(field))]))
}

function literal(value: unknown): unknown {
  return value === 'today' ? today() : value
}

function groupsOf(
  contract: Contract,
  { title, note, fields, from, presets, grouped }: Section,
  entity: string | undefined,
  conditionContext: ConditionContext,
  occasion: Occasion,
): Group[] {
  if (note !== undefined) return [{ name: 'fields', label: '', fields: [noteField(title ?? 'Note', note)] }]
  if (from) return groupsIn(valueAt(from, conditionContext), title)
  const shape = entity === undefined ? undefined : contract.entities[entity]
  if (!shape) return []
  const known = fieldsOf(contract, shape, occasion, conditionContext.user)
  const names = fields ?? known.editable
  const ofField = (name: string): Field | [] => {
    const field = known.byName[name]
    const preset = presets?.[name]
    if (!field || preset === undefined) return field ?? []
    const isPath = typeof preset === 'string' && preset !== 'only'
    return { ...field, preset: isPath ? valueAt(preset, conditionContext) : preset } as PresetField
  }
  const all = groupedFields(names.flatMap(ofField), grouped, conditionContext)
  return [{ name: 'fields', label: title ?? '', fields: all }]
}

function noteField(label: string, text: string): Field {
  return { name: 'note', label, type: 'note', attrs: { text, tone: 'warning' } }
}

/** Marks the fields that are rendered as one grouped list. */
function groupedFields(
  fields: Field[],
  grouped: Section['grouped'] = {},
  conditionContext: ConditionContext,
): Field[] {
  let marked: GroupedField[] = fields
  for (const [name, { by, first }] of Object.entries(grouped)) {
    const parent = fields.find((field) => field.name === by)
    const params = fields.find((field) => field.name === name)?.attrs?.lookup_params ?? {}
    const key = Object.keys(params).find((one) => params[one] === `$${by}`)
    if (!parent || !key) continue
    const { [key]: _, ...lookup_params } = params
    const values = first === undefined ? undefined : valueAt(first, conditionContext)
    const mark = { by: parent, key, first: Array.isArray(values) ? values : [] }
    marked = marked.map((field) => {
      if (field.name === by) return { ...field, answeredBy: name }
      return field.name === name
        ? { ...field, attrs: { ...field.attrs, lookup_params }, grouped: mark }
        : field
    })
  }
  return marked
}

/** The groups of a meta; a list of fields becomes one group. */
function groupsIn(found: unknown, title = ''): Group[] {
  const list = (found ?? []) as (Group | Field)[]
  const isBare = list.length > 0 && 'type' in list[0]
  return isBare ? [{ name: 'fields', label: title, fields: list as Field[] }] : (list as Group[])
}

interface Known {
  byName: Record<string, Field | undefined>
  editable: string[]
}

const knownFields = new WeakMap<Entity, Map<string, Known>>()

/** The fields of an entity, cached so that a form does not render again without a change. */
function fieldsOf(contract: Contract, shape: Entity, occasion: Occasion, user: Values = NOBODY): Known {
  const ofShape = knownFields.get(shape) ?? new Map<string, Known>()
  knownFields.set(shape, ofShape)
  const key = `${occasion} ${user.id} ${user.groups}`
  const known = ofShape.get(key) ?? resolveFields(contract, shape, occasion, user)
  ofShape.set(key, known)
  return known
}

const NOBODY: Values = { id: 0, groups: [] }

function resolveFields(contract: Contract, shape: Entity, occasion: Occasion, user: Values): Known {
  const all = Object.entries(shape.properties).map(([name, property]) => {
    const field = fieldOf(name, property, shape.required?.includes(name) ?? false)
    return [name, permittedField(contract, property, field, occasion, user)] as const
  })
  return { byName: Object.fromEntries(all), editable: editableFields(shape).map((f) => f.name) }
}

/** Names of all fields that conditions, lookups, rules, calculations and texts of a form depend on. */
export function dependenciesOf(sections: FormSection[]): Set<string> {
  const groups = sections.flatMap((s) => s.groups)
  const paths = [...sections, ...groups.map((g) => g.attrs ?? {})].flatMap(({ when }) => pathsOf(when))
  const all = [...paths, ...groups.flatMap((g) => g.fields).flatMap(pathsOfField)]
  return new Set(all.flatMap((path) => path.split('.')))
}

/** The path that the default of a field is copied from, which may be a field of the same form. */
function pathOfPrefill(field: Field): string[] {
  const preset = computedDefault(field)
  return preset && !preset.calc ? [preset.from.slice(1)] : []
}

function pathsOfField(field: Field): string[] {
  const { name, attrs, fields = [] } = field
  const lookups = Object.values(attrs?.lookup_params ?? {}).filter((v) => String(v).startsWith('$'))
  return [
    ...pathsOf(attrs?.when),
    ...pathsOf(attrs?.required_when),
    ...lookups.map((v) => String(v).slice(1)),
    ...(attrs?.rules ?? []).flatMap((rule) => rule.split(':').slice(1)),
    ...sourcesOf(field).filter((one) => typeof one === 'string'),
    ...pathOfPrefill(field),
    ...(attrs?.calendar ? [AREA] : []),
    ...(attrs?.rows_from ? [attrs.rows_from] : []),
    ...namesInTexts(field),
    // A check of the field's own value runs when the field itself is validated.
    ...(attrs?.checks ?? []).flatMap(({ when }) => pathsOf(when)).filter((path) => path !== name),
    ...fields.flatMap(pathsOfField),
  ]
}
