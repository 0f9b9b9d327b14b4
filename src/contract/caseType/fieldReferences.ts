import { usesField } from '../automations/usesField.ts'
import { computedDefault, sourcesOf } from '../computedDefault.ts'
import { deadlineUsesField, pathsOfDeadline } from '../deadlines/deadlineUses.ts'
import { namesInTexts } from '../filledTexts.ts'
import type { Automation, Deadline, Field, FormTest, Group } from '../generated.ts'
import type { MetaName, Metas } from '../meta/metaTypes.ts'
import { type Place, placesOf } from '../meta/places.ts'
import { sourceOfPath } from '../seen.ts'
import { isElsewhere, pathsOf } from '../when.ts'
import { pathsOfTest } from './fieldUses.ts'

/** How a part of a case type refers to a field. */
export type ReferenceKind =
  | 'shown'
  | 'required'
  | 'check'
  | 'calculation'
  | 'start'
  | 'text'
  | 'rule'
  | 'list'
  | 'rows'
  | 'automation'
  | 'deadline'
  | 'test'

/** A part of a case type that refers to a field: its label, and of a field also its form and key ('family.phone'). */
export interface FieldReference {
  kind: ReferenceKind
  label: string
  meta?: MetaName
  key?: string
}

type Parts = Metas & { tests?: FormTest[]; automations?: Automation[]; deadlines?: Deadline[] }

const CASE_PATH = '$case.'
const LAST_PATH = '$last.'

/** Everything in a case type that refers to the field or column with a key of one of its forms. */
export function referencesTo(parts: Parts, meta: MetaName, key: string): FieldReference[] {
  const { tests = [], automations = [], deadlines = [] } = parts
  const [name, ...columns] = key.split('.')
  const isColumn = columns.length > 0
  const named = (paths: string[]) => !isColumn || paths.some((path) => path.replace(CASE_PATH, '') === key)
  return [
    ...(['case_meta', 'issue_meta'] as const).flatMap((form) => referencesIn(parts[form], form, meta, key)),
    ...automations
      .filter((one) => usesField(one, meta, name) && named(pathsOf(one.when)))
      .map(({ label }) => ({ kind: 'automation' as const, label })),
    ...deadlines
      .filter((one) => deadlineUsesField(one, meta, name) && named(pathsOfDeadline(one)))
      .map(({ label }) => ({ kind: 'deadline' as const, label })),
    ...tests
      .filter((test) => test.meta === meta && pathsOfTest(test).some((path) => isWithin(keyOf(path), key)))
      .map((test) => ({ kind: 'test' as const, label: test.name })),
  ]
}

function referencesIn(groups: Group[], form: MetaName, meta: MetaName, key: string): FieldReference[] {
  const ofGroups = groups
    .filter(({ attrs }) => pathsOf(attrs?.when).some((path) => leadsTo(path, [], form, meta, key)))
    .map(({ label }) => ({ kind: 'shown' as const, label, meta: form }))
  const ofFields = [...placesOf(groups)].flatMap((place) => {
    const own = [...place.repeats, place.field].map((field) => field.name).join('.')
    // A field's references to itself or to its own columns do not count.
    if (form === meta && isWithin(own, key)) return []
    return KINDS.filter(([, pathsIn]) =>
      pathsIn(place.field).some((path) => leadsTo(path, place.repeats, form, meta, key)),
    ).map(([kind]) => ({ kind, label: place.field.label, meta: form, key: own }))
  })
  return [...ofGroups, ...ofFields]
}

/** The paths by which a field refers to others, by how it does. */
const KINDS: [kind: ReferenceKind, pathsIn: (field: Field) => string[]][] = [
  ['shown', ({ attrs }) => pathsOf(attrs?.when)],
  ['required', ({ attrs }) => pathsOf(attrs?.required_when)],
  ['check', ({ attrs }) => (attrs?.checks ?? []).flatMap(({ when }) => pathsOf(when))],
  ['calculation', (field) => (field.attrs?.calc ? textsOf(sourcesOf(field)) : [])],
  ['start', startOf],
  ['text', namesInTexts],
  ['rule', ({ attrs }) => (attrs?.rules ?? []).flatMap((rule) => rule.split(':').slice(1))],
  ['list', ({ attrs }) => Object.values(attrs?.lookup_params ?? {}).flatMap(pathOfParam)],
  ['rows', ({ attrs }) => textsOf([attrs?.rows_from])],
]

function startOf(field: Field): string[] {
  const preset = computedDefault(field)
  if (!preset || field.attrs?.calc) return []
  return preset.calc ? textsOf(preset.of) : [preset.from, ...textsOf(sourcesOf(field))]
}

function textsOf(values: unknown[]): string[] {
  return values.filter((value) => typeof value === 'string')
}

/** '$ward' leads to an answer of the form, other paths to records. */
function pathOfParam(value: unknown): string[] {
  return typeof value === 'string' && value.startsWith('$') && !value.includes('.') ? [value.slice(1)] : []
}

/**
 * True if a path in a form leads to the field or column with a key of a form: columns of the rows around it come first,
 * as in `withinReach`.
 */
function leadsTo(path: string, repeats: Place['repeats'], form: MetaName, meta: MetaName, key: string) {
  const source = sourceOfPath(path)
  if (source === 'case')
    return meta === 'case_meta' && form !== meta && isWithin(path.slice(CASE_PATH.length), key)
  if (form !== meta || isElsewhere(path)) return false
  if (source) return source === 'last' && isWithin(path.slice(LAST_PATH.length), key)
  const [head] = path.split('.', 1)
  const depth = repeats.findLastIndex(({ fields = [] }) => fields.some((column) => column.name === head))
  const around = repeats.slice(0, depth + 1).map((repeat) => repeat.name)
  return isWithin([...around, path].join('.'), key)
}

/** True if a key is that of a field, of one of its columns, or of a part of its value. */
function isWithin(key: string, field: string): boolean {
  return key === field || key.startsWith(`${field}.`)
}

/** The key of a path with the numbers of rows ('family.0.phone'). */
function keyOf(path: string): string {
  return path.replaceAll(/\.\d+(?=\.|$)/g, '')
}
