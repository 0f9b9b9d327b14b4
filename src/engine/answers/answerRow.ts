import {
  type AnswerCondition,
  type AnsweredForm,
  type AnsweredForms,
  type AnswerOperator,
  comparedType,
  conditionError,
  OPERATORS,
  type SearchedField,
  searchedFields,
  typedValues,
} from '../../contract/answerFilter.ts'
import type { Field, FieldType } from '../../contract/generated.ts'
import { isSet, type Values } from '../../contract/when.ts'
import { validateSchema } from '../form/validateSchema.ts'
import type { Item } from '../runtime/lookups.ts'

/** A case type as its lookup has it. */
export type CaseTypeItem = Item & AnsweredForms

/** A row while it is filled in. */
export interface AnswerRow {
  key: number
  caseType?: number
  form?: AnsweredForm
  field?: string
  operator?: AnswerOperator
  values: string[]
}

const CHOICES: FieldType[] = ['yesno', 'select', 'multiselect']
const WORDS: Record<Exclude<AnswerOperator, 'is'>, string> = {
  contains: 'contains',
  between: 'is between',
  set: 'is answered',
  unset: 'is not answered',
}

/** An operator as it reads after the name of a field. */
export function operatorWords(operator: AnswerOperator, { type }: Field): string {
  if (operator === 'is') return type === 'multiselect' ? 'has any of' : type === 'select' ? 'is any of' : 'is'
  return WORDS[operator]
}

/** The field that a row is about, where there is one. */
export function fieldOfRow(types: CaseTypeItem[], { caseType, form, field }: Omit<AnswerRow, 'key'>) {
  const type = types.find(({ value }) => value === caseType)
  const searched = type && searchedFields(type).find((one) => one.form === form && one.field.name === field)
  return { type, searched }
}

/** The condition that a row says, or a sentence about what it lacks. */
export function conditionOf(types: CaseTypeItem[], row: AnswerRow): AnswerCondition | string {
  const { searched } = fieldOfRow(types, row)
  if (!searched) return 'Choose a case type and a question, or remove this row'
  const { caseType, form, field, values } = row as AnswerRow & AnswerCondition
  const operator = row.operator ?? OPERATORS[searched.field.type][0]
  const isFilled = operator === 'set' || operator === 'unset' || values.some((value) => value.trim())
  if (!isFilled) return 'Say which answer, or remove this row'
  const condition = { caseType, form, field, operator, values }
  return conditionError(searched, condition, validateSchema) ?? condition
}

/** The fields by which a form asks for the values of a condition: those of the question itself. */
export function valueFields({ field }: SearchedField, operator: AnswerOperator): Field[] {
  const { options, lookup, lookup_params, places, unit, currency } = field.attrs ?? {}
  // What a parameter takes from the case is not known here; a choice that is no longer offered may still be an answer.
  const params = Object.entries(lookup_params ?? {}).filter(([, value]) => !String(value).startsWith('$'))
  if (operator === 'is') {
    const attrs = {
      ...(options && { options: options.map(({ active, ...option }) => option) }),
      ...(lookup && { lookup, lookup_params: Object.fromEntries(params) }),
      required: true,
    }
    // Any of several: asked as if several could be the answer.
    const type = field.type === 'select' ? 'multiselect' : field.type
    return [{ name: 'value', label: 'Answer', type, attrs } as Field]
  }
  if (operator === 'contains')
    return [{ name: 'value', label: 'Words', type: 'text', attrs: { required: true, max_length: 200 } }]
  if (operator !== 'between') return []
  const type = comparedType(field.type)
  const attrs = {
    ...(places !== undefined && { places }),
    ...(unit && { unit }),
    ...(currency && { currency }),
  }
  return [
    { name: 'from', label: 'From', type, attrs },
    { name: 'to', label: 'To', type, attrs },
  ]
}

/** What a form of `valueFields` begins with. */
export function documentOf(searched: SearchedField, operator: AnswerOperator, row: AnswerRow): Values {
  const condition = { ...row, operator } as AnswerCondition & AnswerRow
  const values = typedValues(searched, condition)
  if (operator === 'between') {
    const [from, to] = values.map((value) => (isSet(value) ? value : undefined))
    return { from, to }
  }
  const isSeveral =
    operator === 'is' && CHOICES.includes(searched.field.type) && searched.field.type !== 'yesno'
  return values.length === 0 ? {} : { value: isSeveral ? values : values[0] }
}

/** The values that such a form holds. */
export function valuesOf(operator: AnswerOperator, { value, from, to }: Values): string[] {
  if (operator === 'between') return [from, to].map((one) => (isSet(one) ? String(one) : ''))
  return [value].flat().filter(isSet).map(String)
}
