import { type AnswerMove, movesOf } from '../../contract/answerMigration/answerMoves.ts'
import { isConvertible } from '../../contract/answerMigration/convertAnswer.ts'
import { newFieldName, ROW_KEY } from '../../contract/fieldName.ts'
import { FIELD_TYPES, isQuestion, offeredOptions } from '../../contract/fieldTypes.ts'
import type { Field, FieldType, Group, Option, TakenValue } from '../../contract/generated.ts'
import { isReserved } from '../../contract/meta/fieldUsage.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import { fieldsByName } from '../../contract/meta/places.ts'
import { type Address, fieldAt } from './address.ts'
import { type Draft, NO_DRAFT } from './caseType.ts'
import { change, changeList, setType } from './edit.ts'
import { withColumnReferences } from './withColumnReferences.ts'
import { withMergedChoice, withMergedColumnChoice } from './withMergedChoice.ts'
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

/** The published field or column of which the one at an address has or takes over the answers. */
export function sourceAt(groups: Group[], before: Group[], address: Address): Field | undefined {
  const field = fieldAt(groups, address)
  if (!field || address.length <= 2) return field && sourceOf(field, before)
  const columns = sourceAt(groups, before, address.slice(0, -1))?.fields
  return columns?.find(({ name }) => name === (field.attrs?.takes?.from ?? field.name))
}

/** True if the answers of the field at an address can be stored under another name or as another type. */
export function canTake({ meta, before }: Form, field: Field, address: Address): boolean {
  const source = sourceOf(field, before)
  return address.length === 2 && source !== undefined && isTaking(field) && !isReserved(meta, source.name)
}

/** The same of a column, whose type and list stay as they are. */
export function canTakeColumn({ before, groups }: Form & { groups: Group[] }, address: Address): boolean {
  const field = fieldAt(groups, address)
  return (
    address.length > 2 &&
    field !== undefined &&
    isTaking(field) &&
    sourceAt(groups, before, address) !== undefined
  )
}

function isTaking(field: Field): boolean {
  return isQuestion(field) && !field.attrs?.calc
}

/** The name that a field would get from its label now; undefined if that is the name that it has. */
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

/** The name that a column would get from its label now; undefined if that is the name that it has. */
export function nameOfColumn(groups: Group[], before: Group[], address: Address): string | undefined {
  const column = fieldAt(groups, address)!
  const parent = address.slice(0, -1)
  const published = sourceAt(groups, before, parent)?.fields ?? []
  const others = [...(fieldAt(groups, parent)?.fields ?? []), ...published].map(({ name }) => name)
  const made = newFieldName(
    column.label,
    new Set([...others.filter((name) => name !== column.name), ROW_KEY]),
  )
  return made === column.name ? undefined : made
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
  const source = sourceAt(draft[meta], before, address)
  const rename = (one: string) => (one === old ? name : one)
  const renamed =
    address.length > 2
      ? withColumnReferences(draft, meta, address.slice(0, -1), rename)
      : withReferences(draft, meta, rename)
  const groups = change<Field>(renamed[meta], address, (field) => withTakes({ ...field, name }, source))
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
  const source = sourceAt(draft[meta], before, address)
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
  const now = { ...draft, [meta]: merged }
  const choice = { meta, name: field.name, from: from.value, into: into.value }
  return address.length > 2 ? withMergedColumnChoice(now, choice, address) : withMergedChoice(now, choice)
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
    // A value of its own comes before the band that it lies in.
    const next = is === undefined ? others : [{ was, is }, ...others]
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
  const renamed = withReferences(forms, meta, newName)[meta].map((group) => ({
    ...group,
    fields: group.fields.map((field) => ({ ...field, name: newName(field.name) })),
  }))
  return moves.reduce((groups, { name, columns }) => withNamesOfColumns(meta, groups, name, columns), renamed)
}

function withNamesOfColumns(
  meta: MetaName,
  groups: Group[],
  repeat: string,
  columns: AnswerMove[] = [],
): Group[] {
  const group = groups.find(({ fields }) => fields.some((field) => field.name === repeat))
  if (!group || columns.length === 0) return groups
  const newName = (name: string) => columns.find((move) => move.from === name)?.name ?? name
  const address = [group.name, repeat]
  const referring = withColumnReferences({ ...NO_DRAFT, [meta]: groups }, meta, address, newName)[meta]
  return change<Field>(referring, address, (field) => ({
    ...field,
    fields: field.fields?.map((column) => ({ ...column, name: newName(column.name) })),
  }))
}
