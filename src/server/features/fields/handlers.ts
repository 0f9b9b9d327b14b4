import { referencesTo } from '../../../contract/caseType/fieldReferences.ts'
import { usesOf } from '../../../contract/caseType/fieldUses.ts'
import {
  FIELD_TYPES,
  hasChoices,
  isChoice,
  isQuestion,
  offeredOptions,
} from '../../../contract/fieldTypes.ts'
import { plainLabel } from '../../../contract/filledTexts.ts'
import { capitalised } from '../../../contract/quoted.ts'
import type { FieldChoice, FieldUse, FormField } from '../../../contract/types/entities.ts'
import type { Call, Handler } from '../../core/call.ts'
import { itemLabelsOf } from '../../records/lookups/itemLabels.ts'
import { fieldUses } from '../caseTypes/fieldUses.ts'
import { changesOfField } from './changesOfField.ts'
import { fieldFigures } from './fieldFigures.ts'
import { figuresInWords, percentOf } from './figuresInWords.ts'
import { type FoundField, findField } from './findField.ts'

/** A field of a form, and in how many records it is answered; no answers. */
export const read: Handler = async (call): Promise<FormField> => {
  const found = await findField(call)
  const { type, form, key, field, place, state } = found
  const isAsked = isQuestion(field) && state !== 'new'
  const figures = isAsked
    ? figuresInWords(found, await fieldFigures(call.db, found, isChoice(field)))
    : {
        answered: null,
        rows: null,
        not_known: null,
        open: null,
        closed: null,
        last_used: null,
        counted: null,
      }
  return {
    case_type_label: type.label,
    label: plainLabel(field.label),
    form,
    place: place.map(plainLabel).join(' › '),
    name: key,
    type_label: FIELD_TYPES[field.type].title,
    state,
    ...figures,
  }
}

/**
 * What refers to a field: fields, automations, deadlines and tests of the draft, and what is outside of the case type.
 */
export const uses: Handler = async (call) => {
  const found = await findField(call)
  const { type, meta, key, storedKey, field, parts } = found
  const inside = referencesTo(parts, meta, key).map(({ kind, label, meta: form, key: other }) => ({
    kind,
    words: plainLabel(label),
    form: form ? formOf(form) : null,
    page: form && other ? pageOf(type.id, formOf(form), other) : null,
  }))
  // Saved views and public forms refer to whole answers only, not to columns.
  const outside = key.includes('.')
    ? []
    : usesOf(meta, { ...field, name: storedKey }, await fieldUses(call.db, type.id), { tests: [] })
  const rows = [
    ...inside,
    ...outside.map((words) => ({
      kind: 'outside' as const,
      words: capitalised(words),
      form: null,
      page: null,
    })),
  ]
  return { rows: rows.map((row, i): FieldUse => ({ id: i + 1, ...row })) }
}

/** The choices of a field in their order, with the number of records that have each. */
export const choices: Handler = async (call) => {
  const found = await findField(call)
  const { field, state } = found
  if (!isChoice(field) || state === 'new') return { rows: [] }
  const { chosen, answered } = await fieldFigures(call.db, found, true)
  const offered = await offeredChoices(call, found, Object.keys(chosen))
  const rows = offered.map(({ value, label, isRetired, isGone }) => {
    const count = Object.hasOwn(chosen, value) ? chosen[value] : 0
    const share = percentOf(count, answered)
    return { label, count, share, state: stateOf(count, isRetired, isGone) }
  })
  return { rows: rows.map((row, i): FieldChoice => ({ id: i + 1, ...row })) }
}

/** In which versions a field came, changed and left, the newest first. */
export const history: Handler = async (call) => ({ rows: await changesOfField(call, await findField(call)) })

interface OfferedChoice {
  value: string
  label: string
  isRetired?: boolean
  isGone?: boolean
}

/** The choices of a field with those that records have and it no longer offers. */
async function offeredChoices(call: Call, { field }: FoundField, chosen: string[]): Promise<OfferedChoice[]> {
  const { lookup, options } = field.attrs ?? {}
  if (lookup && hasChoices(field)) {
    const ids = chosen.map(Number).filter(Number.isInteger)
    const labelOf = await itemLabelsOf(call, new Map([[lookup, ids]]))
    return chosen.map((value) => ({ value, label: labelOf(lookup, Number(value)) ?? `item ${value}` }))
  }
  const own = (options ?? offeredOptions(field)).map(({ value, label, active }) => ({
    value: String(value),
    label,
    isRetired: active === false,
  }))
  const gone = chosen.filter((value) => !own.some((option) => option.value === value))
  return [...own, ...gone.map((value) => ({ value, label: value, isGone: true }))]
}

function stateOf(count: number, isRetired = false, isGone = false): FieldChoice['state'] {
  if (isGone) return 'gone'
  if (isRetired) return 'retired'
  return count === 0 ? 'never' : null
}

function formOf(meta: FoundField['meta']): FoundField['form'] {
  return meta === 'case_meta' ? 'case' : 'issue'
}

function pageOf(caseType: number, form: FoundField['form'], key: string): string {
  return `/dashboard/module-constructor/${caseType}/fields/${form}/${key}`
}
