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
} from '../../../contract/answerFilter.ts'
import { hasChoices, takesSeveralChoices } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import type { Item } from '../../core/lookups.ts'
import { validateSchema } from '../../form/store/validateSchema.ts'

export type CaseTypeItem = Item & AnsweredForms

/** A row, which may be incomplete. */
export interface AnswerRow {
  key: number
  caseType?: number
  form?: AnsweredForm
  field?: string
  operator?: AnswerOperator
  values: string[]
}

const WORDS: Record<Exclude<AnswerOperator, 'is'>, string> = {
  contains: 'contains',
  between: 'is between',
  set: 'is answered',
  unset: 'is not answered',
}

/** The words of an operator, to follow the name of a field. */
export function operatorWords(operator: AnswerOperator, field: Field): string {
  if (operator === 'is')
    return takesSeveralChoices(field) ? 'has any of' : hasChoices(field) ? 'is any of' : 'is'
  return WORDS[operator]
}

export function fieldOfRow(types: CaseTypeItem[], { caseType, form, field }: Omit<AnswerRow, 'key'>) {
  const type = types.find(({ value }) => value === caseType)
  const searched = type && searchedFields(type).find((one) => one.form === form && one.field.name === field)
  return { type, searched }
}

/** The condition of a row, or an error text if it is incomplete. */
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

/** The form fields for the values of a condition, derived from the question. */
export function valueFields({ field }: SearchedField, operator: AnswerOperator): Field[] {
  const { options, lookup, lookup_params, places, unit, currency } = field.attrs ?? {}
  // Parameters from the case ('$...') are not known here; a retired option may still be an answer.
  const params = Object.entries(lookup_params ?? {}).filter(([, value]) => !String(value).startsWith('$'))
  if (operator === 'is') {
    const attrs = {
      ...(options && { options: options.map(({ active, ...option }) => option) }),
      ...(lookup && { lookup, lookup_params: Object.fromEntries(params) }),
      required: true,
    }
    // The condition matches any of several options, so they need a multiselect.
    const type = hasChoices(field) ? 'multiselect' : field.type
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

/** The initial values of the form of `valueFields`. */
export function documentOf(searched: SearchedField, operator: AnswerOperator, row: AnswerRow): Values {
  const condition = { ...row, operator } as AnswerCondition & AnswerRow
  const values = typedValues(searched, condition)
  if (operator === 'between') {
    const [from, to] = values.map((value) => (isSet(value) ? value : undefined))
    return { from, to }
  }
  const isSeveral = operator === 'is' && hasChoices(searched.field)
  return values.length === 0 ? {} : { value: isSeveral ? values : values[0] }
}

/** The values of the form of `valueFields`, as texts. */
export function valuesOf(operator: AnswerOperator, { value, from, to }: Values): string[] {
  if (operator === 'between') return [from, to].map((one) => (isSet(one) ? String(one) : ''))
  return [value].flat().filter(isSet).map(String)
}
