import { FIELD_TYPES, takesSeveralChoices } from './fieldTypes.ts'
import { plainLabel } from './filledTexts.ts'
import type { Field, FieldType, Group } from './generated.ts'
import { MAX_TEXT_LENGTH } from './listFilters.ts'
import type { FieldSchema } from './typeFacts.ts'
import { type SchemaValidator, validateAnswers } from './validateAnswers.ts'
import { asNumber } from './when.ts'

/** The form of a case type that contains a field. */
export type AnsweredForm = 'case' | 'issue'
export type AnswerOperator = 'is' | 'contains' | 'between' | 'set' | 'unset'

/** One row of a search by answers: a field of a case type's form, an operator and the values to compare with. */
export interface AnswerCondition {
  caseType: number
  form: AnsweredForm
  field: string
  operator: AnswerOperator
  /**
   * Alternatives for `is`, one text for `contains`, first and last amount for `between` ('' for an open end), else
   * none.
   */
  values: string[]
}

export interface AnsweredForms {
  case_meta: Group[]
  issue_meta: Group[]
}

const BY_COMPARISON = {
  choice: ['is', 'set', 'unset'],
  amount: ['between', 'set', 'unset'],
  number: ['between', 'is', 'set', 'unset'],
  text: ['contains', 'set', 'unset'],
} satisfies Record<string, AnswerOperator[]>

/** The operators of each type, the usual one first. */
export const OPERATORS = Object.fromEntries(
  Object.entries(FIELD_TYPES).map(([type, { compares, searches = compares }]) => [
    type,
    searches ? BY_COMPARISON[searches] : ['set', 'unset'],
  ]),
) as Record<FieldType, AnswerOperator[]>

/** Fewest and most values of each operator. */
const COUNTS: Record<AnswerOperator, [least: number, most: number]> = {
  is: [1, 50],
  contains: [1, 1],
  between: [2, 2],
  set: [0, 0],
  unset: [0, 0],
}
const MAX_CONDITIONS = 20
const MAX_VALUE_LENGTH = 200
const FIELD = /^[a-z][a-z0-9_]{0,62}$/

/**
 * Serialises conditions for an address: 'type.form.field.operator.value.value', separated by *. In a value, ~ escapes
 * the characters . * and ~. All of these stay readable in an address.
 */
export function writeAnswers(conditions: AnswerCondition[]): string {
  return conditions
    .map(({ caseType, form, field, operator, values }) =>
      [String(caseType), form, field, operator, ...values.map(escapeValue)].join('.'),
    )
    .join('*')
}

/** Parses a text of `writeAnswers`; returns the conditions, or an error in words that follow a label. */
export function readAnswers(text: string): AnswerCondition[] | string {
  if (text.length > MAX_TEXT_LENGTH) return `must have at most ${MAX_TEXT_LENGTH} characters`
  const parts = split(text, '*')
  if (parts.length > MAX_CONDITIONS) return `must have at most ${MAX_CONDITIONS} conditions`
  const conditions: AnswerCondition[] = []
  for (const part of parts) {
    const read = readCondition(part)
    if (typeof read === 'string') return read
    conditions.push(read)
  }
  return conditions
}

function readCondition(text: string): AnswerCondition | string {
  const [caseType, form, field, operator, ...rest] = split(text, '.')
  const values = rest.map(unescapeValue)
  if (!/^[1-9]\d{0,8}$/.test(caseType)) return 'must begin with the number of a case type'
  if (form !== 'case' && form !== 'issue') return 'must name the form of the case or of the issue'
  if (!FIELD.test(field ?? '')) return 'must name a field of a form'
  if (!isOperator(operator)) return `must say how to compare: ${Object.keys(COUNTS).join(', ')}`
  const [least, most] = COUNTS[operator]
  const isFilled = operator === 'between' ? values.some(Boolean) : values.every((value) => value.trim())
  if (values.length < least || values.length > most || !isFilled)
    return `must give '${operator}' what it compares with`
  if (values.some((value) => value.length > MAX_VALUE_LENGTH))
    return `must have values of at most ${MAX_VALUE_LENGTH} characters`
  return { caseType: Number(caseType), form, field, operator, values }
}

function isOperator(text: string | undefined): text is AnswerOperator {
  return text !== undefined && Object.hasOwn(COUNTS, text)
}

function escapeValue(value: string): string {
  return value.replaceAll(/[~.*]/g, '~$&')
}

function unescapeValue(text: string): string {
  return text.replaceAll(/~(.)/gs, '$1')
}

/** Splits a text at separators that are not escaped with ~. */
function split(text: string, separator: string): string[] {
  const parts = ['']
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === separator) parts.push('')
    else parts[parts.length - 1] += letter === '~' ? text.slice(at, ++at + 1) : letter
  }
  return parts
}

/** A field whose answers can be searched, with its form and the label of its group. */
export interface SearchedField {
  form: AnsweredForm
  group: string
  field: Field
  /** Switched off: it is not offered, but searches and saved views by it find the answers that are stored. */
  isOff?: true
}

/** The fields by which cases can be searched: marked for it (`report`) and not sensitive. */
export function searchedFields({ case_meta, issue_meta }: AnsweredForms): SearchedField[] {
  const isOff = ({ attrs }: Group | Field) => attrs?.is_on === false
  const ofForm = (form: AnsweredForm, groups: Group[]) =>
    groups.flatMap((group) =>
      group.fields.filter(isSearched).map((field) => ({
        form,
        group: group.label,
        field,
        ...((isOff(group) || isOff(field)) && { isOff: true as const }),
      })),
    )
  return [...ofForm('case', case_meta), ...ofForm('issue', issue_meta)]
}

/** The label of a searched field, which says so if it is no longer asked. */
export function searchedLabel({ field, isOff }: SearchedField): string {
  const label = plainLabel(field.label)
  return isOff ? `${label} (switched off)` : label
}

function isSearched({ attrs }: Field): boolean {
  return attrs?.report === true && attrs.sensitive !== true
}

/**
 * The values of a condition as they are stored in answers: numbers where the field's choices or amounts are numbers.
 */
export function typedValues({ field }: SearchedField, { values }: AnswerCondition): unknown[] {
  return values.map((value) => {
    const option = field.attrs?.options?.find((one) => String(one.value) === value)
    if (option) return option.value
    const isNumber = FIELD_TYPES[field.type].isWhole === true || field.attrs?.lookup !== undefined
    return isNumber && /^-?\d{1,10}$/.test(value) ? Number(value) : value
  })
}

/** Validates the operator and values of a condition on this field; returns an error message, or undefined if valid. */
export function conditionError(
  searched: SearchedField,
  condition: AnswerCondition,
  validateSchema: SchemaValidator,
): string | undefined {
  const { field } = searched
  const { operator } = condition
  if (!OPERATORS[field.type].includes(operator)) return `${field.label} cannot be searched by '${operator}'`
  if (operator !== 'is' && operator !== 'between') return undefined
  const schema: FieldSchema = {
    type: 'object',
    properties: { value: { ...valueSchema(field), title: field.label } },
  }
  const values = typedValues(searched, condition).filter((value) => value !== '')
  for (const value of values) {
    const [wrong] = Object.values(validateAnswers(schema, { value }, validateSchema, ''))
    if (wrong) return wrong[0]
  }
  const [first, last] = values.map(asNumber)
  if (operator === 'between' && values.length === 2 && (first as number) > (last as number))
    return `${field.label} must not begin after its end`
  return undefined
}

/** Field type by which people enter the values of a condition. */
export function comparedType(type: FieldType): FieldType {
  return FIELD_TYPES[type].searchesAs ?? type
}

/** JSON Schema of one value of a condition, without limits and rules: older answers may violate them. */
function valueSchema({
  type,
  attrs: { min, max, required, rules, ...attrs } = {},
  ...field
}: Field): FieldSchema {
  const compared = comparedType(type)
  const schema = FIELD_TYPES[compared].schema({ ...field, type: compared, attrs })
  return takesSeveralChoices({ type: compared }) ? (schema.items as FieldSchema) : schema
}
