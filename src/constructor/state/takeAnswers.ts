import { type AnswerMove, movesOf } from '../../contract/answerMigration/answerMoves.ts'
import { isConvertible } from '../../contract/answerMigration/convertAnswer.ts'
import { newFieldName } from '../../contract/fieldName.ts'
import { FIELD_TYPES, isQuestion, offeredOptions } from '../../contract/fieldTypes.ts'
import type { Field, FieldAttrs, FieldType, Group, Option, TakenValue } from '../../contract/generated.ts'
import { isReserved } from '../../contract/meta/fieldUsage.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import { fieldsByName } from '../../contract/meta/places.ts'
import type { When } from '../../contract/when.ts'
import { type Address, fieldAt } from './address.ts'
import { type Draft, NO_DRAFT } from './caseType.ts'
import { change, changeList, setType } from './edit.ts'
import { withReferences } from './withReferences.ts'

/** The form that is edited: its name and what is published of it. */
interface Form {
  meta: MetaName
  before: Group[]
}

/** A changed draft and the new address of the changed field. */
interface PlacedDraft {
  draft: Draft
  address: Address
}

/** The published field whose answers a field of the form has or takes over; undefined for a new one. */
export function sourceOf({ name, attrs }: Field, before: Group[]): Field | undefined {
  return fieldsByName(before).get(attrs?.takes?.from ?? name)
}

/** True if the answers of the field at an address can be stored under another name or as another type. */
export function canTake({ meta, before }: Form, field: Field, address: Address): boolean {
  const source = sourceOf(field, before)
  return (
    address.length === 2 &&
    source !== undefined &&
    isQuestion(field) &&
    !field.attrs?.calc &&
    !isReserved(meta, source.name)
  )
}

/** The name that a field would get from its label now, which differs from the one that it has; undefined if there is none. */
export function nameOfLabel(groups: Group[], field: Field, taken: Iterable<string>): string | undefined {
  const others = groups
    .flatMap(({ fields }) => fields.map(({ name }) => name))
    .filter((name) => name !== field.name)
  const made = newFieldName(
    field.label,
    new Set([...others, ...[...taken].filter((name) => name !== field.name)]),
  )
  return made === field.name ? undefined : made
}

/**
 * Names new fields after their labels where a number was added to keep their names apart, as of a duplicate; the same
 * draft if there is none.
 */
export function nameNewFields(
  draft: Draft,
  before: Record<MetaName, Group[]>,
  taken: Record<MetaName, string[]>,
): Draft {
  return (['case_meta', 'issue_meta'] as const).reduce((now, meta) => {
    const published = fieldsByName(before[meta])
    return now[meta].reduce(
      (all, group) =>
        group.fields.reduce((named, field) => {
          const isNew = !published.has(field.name) && !field.attrs?.takes && /_\d+$/.test(field.name)
          const name = isNew ? nameOfLabel(named[meta], field, taken[meta]) : undefined
          if (name === undefined) return named
          return renameField(named, { meta, before: before[meta] }, [group.name, field.name], name).draft
        }, all),
      now,
    )
  }, draft)
}

/** Stores the answers of a field under another name, and renames what refers to it. */
export function renameField(
  draft: Draft,
  { meta, before }: Form,
  address: Address,
  name: string,
): PlacedDraft {
  const old = address.at(-1)!
  const renamed = withReferences(draft, meta, (one) => (one === old ? name : one))
  const groups = change<Field>(renamed[meta], address, (field) =>
    withTakes({ ...field, name }, sourceOf({ ...field, name: old }, before)),
  )
  return { draft: { ...renamed, [meta]: groups }, address: [...address.slice(0, -1), name] }
}

/** The field with what it takes over: nothing where it is the published field or a new one. */
function withTakes(field: Field, source: Field | undefined, values = field.attrs?.takes?.values): Field {
  const { takes: _, ...attrs } = field.attrs ?? {}
  const isSame = !source || (source.name === field.name && !values?.length)
  return {
    ...field,
    attrs: { ...attrs, ...(!isSame && { takes: { from: source.name, ...(values?.length && { values }) } }) },
  }
}

/** The types that the answers of a field can become, in the order of the constructor. */
export function typesFor(field: Field, before: Group[]): FieldType[] {
  const source = sourceOf(field, before)
  const types = Object.keys(FIELD_TYPES) as FieldType[]
  return source ? types.filter((type) => isConvertible(source.type, type)) : types
}

/** Changes the type of a published field, which needs another stored name for that. */
export function changeType(
  draft: Draft,
  form: Form,
  address: Address,
  type: FieldType,
  taken: Iterable<string>,
): PlacedDraft {
  const { meta, before } = form
  const field = fieldAt(draft[meta], address)!
  const source = sourceOf(field, before)
  const typed = { ...draft, [meta]: withChoicesOf(field, setType(draft[meta], address, type), address) }
  if (!source) return { draft: typed, address }
  const isBack =
    source.type === type && source.name !== field.name && !fieldsByName(draft[meta]).has(source.name)
  const isNew = source.type !== type && source.name === field.name
  const name = isBack
    ? source.name
    : isNew
      ? newFieldName(field.label, new Set([...taken, ...fieldsByName(draft[meta]).keys()]))
      : field.name
  if (name !== field.name) return renameField(typed, form, address, name)
  return { draft: typed, address }
}

/** Gives a field that becomes a choice the choices that its type has had, such as yes and no. */
function withChoicesOf(was: Field, groups: Group[], address: Address): Group[] {
  const options = offeredOptions(was)
  return change<Field>(groups, address, (field) => {
    const needsOptions =
      FIELD_TYPES[field.type].choices !== undefined && !field.attrs?.options && !field.attrs?.lookup
    return needsOptions && options.length > 0 ? { ...field, attrs: { ...field.attrs, options } } : field
  })
}

/** Merges a choice of a field into another one: its answers become that one. */
export function mergeChoice(
  draft: Draft,
  { meta, before }: Form,
  address: Address,
  from: Option,
  into: Option,
): Draft {
  const field = fieldAt(draft[meta], address)!
  const source = sourceOf(field, before)
  const isPublished = source?.attrs?.options?.some(({ value }) => value === from.value)
  const kept = (field.attrs?.takes?.values ?? []).map((entry) =>
    entry.is === from.value ? { ...entry, is: into.value } : entry,
  )
  const values: TakenValue[] = isPublished
    ? [...kept.filter(({ was }) => was !== from.value), { was: from.value, is: into.value }]
    : kept
  const options = field.attrs?.options?.filter(({ value }) => value !== from.value)
  const merged = change<Field>(draft[meta], address, (one) =>
    withTakes({ ...one, attrs: { ...one.attrs, options } }, source, values),
  )
  const asInto = (when: When | undefined) => when && valuesIn(when, field.name, from.value, into.value)
  return { ...draft, [meta]: merged.map((group) => conditionsIn(group, asInto)) }
}

/** Replaces a value that conditions compare the answer of a field with. */
function valuesIn(when: When, name: string, from: unknown, into: unknown): When {
  const replaced = (test: unknown): unknown => {
    if (Array.isArray(test)) return [...new Set(test.map(replaced))]
    if (test !== null && typeof test === 'object')
      return Object.fromEntries(Object.entries(test).map(([key, one]) => [key, replaced(one)]))
    return test === from ? into : test
  }
  const entries = Object.entries(when).map(([path, test]) =>
    path === 'any'
      ? [path, (test as When[]).map((one) => valuesIn(one, name, from, into))]
      : [path, path === name ? replaced(test) : test],
  )
  return Object.fromEntries(entries) as When
}

function conditionsIn(group: Group, replace: (when: When | undefined) => When | undefined): Group {
  const inAttrs = (attrs: FieldAttrs = {}): FieldAttrs => ({
    ...attrs,
    ...(attrs.when && { when: replace(attrs.when) }),
    ...(attrs.required_when && { required_when: replace(attrs.required_when) }),
    ...(attrs.checks && { checks: attrs.checks.map((one) => ({ ...one, when: replace(one.when)! })) }),
    ...(attrs.choose && {
      choose: attrs.choose.map((one) => ({ ...one, ...(one.when && { when: replace(one.when) }) })),
    }),
  })
  const inField = (field: Field): Field => ({
    ...field,
    ...(field.attrs && { attrs: inAttrs(field.attrs) }),
    ...(field.fields && { fields: field.fields.map(inField) }),
  })
  return {
    ...group,
    ...(group.attrs?.when && { attrs: { ...group.attrs, when: replace(group.attrs.when) } }),
    fields: group.fields.map(inField),
  }
}

/** Splits a field with choices into two: both take its answers, by tables that begin with every choice as it is. */
export function splitField(draft: Draft, form: Form, address: Address, taken: Iterable<string>): PlacedDraft {
  const { meta, before } = form
  const field = fieldAt(draft[meta], address)!
  const source = sourceOf(field, before)!
  const names = new Set([...taken, ...fieldsByName(draft[meta]).keys()])
  const label = `${field.label.trim().slice(0, 480)}, second part`
  const values = (source.attrs?.options ?? offeredOptions(source)).map(({ value }) => ({
    was: value,
    is: value,
  }))
  const first = withTakes(
    field,
    source,
    field.attrs?.takes?.values?.length ? field.attrs.takes.values : values,
  )
  const second = withTakes({ ...first, name: newFieldName(label, names), label }, source, values)
  const parent = address.slice(0, -1)
  const groups = changeList(draft[meta], parent, (list) =>
    list.flatMap((item) => (item.name === field.name ? [first, second] : [item])),
  )
  return { draft: { ...draft, [meta]: groups }, address: [...parent, second.name] }
}

/** True if a field can be split: its answers are choices of its own. */
export function canSplit(form: Form, field: Field, address: Address): boolean {
  return canTake(form, field, address) && offeredOptions(sourceOf(field, form.before)!).length > 0
}

/** Sets what a value becomes in a field; undefined: as the conversion has it, or to look at. */
export function setTaken(
  draft: Draft,
  meta: MetaName,
  name: string,
  was: TakenValue['was'],
  is: TakenValue['is'] | undefined,
): Draft {
  const group = draft[meta].find(({ fields }) => fields.some((field) => field.name === name))
  if (!group) return draft
  const groups = change<Field>(draft[meta], [group.name, name], (field) => {
    const { from, values = [] } = field.attrs!.takes!
    const others = values.filter((entry) => JSON.stringify(entry.was) !== JSON.stringify(was))
    const next = is === undefined ? others : [...others, { was, is }]
    return { ...field, attrs: { ...field.attrs, takes: { from, ...(next.length > 0 && { values: next }) } } }
  })
  return { ...draft, [meta]: groups }
}

/** A field of one of the forms that takes over the answers of a published one. */
export type MovedField = AnswerMove & { meta: MetaName }

/** The moves of a draft in both forms. */
export function movesIn(before: Record<MetaName, Group[]>, draft: Draft): MovedField[] {
  return (['case_meta', 'issue_meta'] as const).flatMap((meta) =>
    movesOf(before[meta], draft[meta]).map((move) => ({ ...move, meta })),
  )
}

/** A published form with the names that a draft gives its fields, also in conditions, to compare the two. */
export function renamedBefore(meta: MetaName, before: Group[], after: Group[]): Group[] {
  const moves = movesOf(before, after)
  if (moves.length === 0) return before
  const newName = (name: string) => moves.find((move) => move.from === name)?.name ?? name
  const forms = { ...NO_DRAFT, [meta]: before }
  return withReferences(forms, meta, newName)[meta].map((group) => ({
    ...group,
    fields: group.fields.map((field) => ({ ...field, name: newName(field.name) })),
  }))
}
