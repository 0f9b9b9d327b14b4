import { editableFields } from '../entity.ts'
import { holdsFile, holdsRows, isQuestion } from '../fieldTypes.ts'
import { followersOfLast } from '../followers.ts'
import type { Entity, Field, Group } from '../generated.ts'
import { memoised } from '../memoised.ts'
import { lower } from '../messages.ts'
import type { Source } from '../seen.ts'
import { todayDependentNames } from '../todayDependent.ts'
import type { Known, MetaName, Metas } from './metaTypes.ts'
import { fieldsByName } from './places.ts'
import { CASE_COLUMNS, ofCase } from './recordFields.ts'

/**
 * The fields outside of a form that its conditions, calculations, defaults and texts can name, by path: those of the
 * client, of the case of an issue, and of the form itself as the last record before this one has it.
 */
export function outsideFields(
  meta: MetaName,
  metas: Metas,
  { entities }: Pick<Known, 'entities'>,
): Map<string, Field> {
  const all = [
    ...(entities?.client ? fieldsOfClient(entities.client) : []),
    ...(meta === 'issue_meta' ? [...CASE_COLUMNS, ...answersOfCase(metas.case_meta)] : []),
    ...storedFields(metas[meta]).map(ofLast),
  ]
  return new Map(all.map((field) => [field.name, field]))
}

const fieldsOfClient = memoised((client: Pick<Entity, 'properties' | 'required'>): Field[] =>
  editableFields(client)
    .filter(canBeSeen)
    .map((field) => from('client', field, `Client's ${lower(field.label)}`)),
)

const ofLast = memoised((field: Field) => from('last', field, `Last time's ${field.label}`))

const ofThisCase = memoised((field: Field) => ofCase(field, field.name))

/** The fields of a form whose answers are stored as one value. */
const storedFields = memoised((groups: Group[]): Field[] => {
  const todayDependent = todayDependentNames(groups)
  return [...fieldsByName(groups).values()].filter(
    (field) => canBeSeen(field) && !todayDependent.has(field.name),
  )
})

/** Sensitive answers are shown in their own record only. */
function canBeSeen(field: Field): boolean {
  return isQuestion(field) && !holdsRows(field) && !holdsFile(field) && !field.attrs?.sensitive
}

/** The answers of the case without those that follow from the last case, which not everybody who sees the issue may see. */
function answersOfCase(groups: Group[]): Field[] {
  const followers = followersOfLast(groups)
  return storedFields(groups).flatMap((field) => (followers.has(field.name) ? [] : ofThisCase(field)))
}

function from(source: Source, field: Field, label: string): Field {
  return { ...field, name: `$${source}.${field.name}`, label }
}
