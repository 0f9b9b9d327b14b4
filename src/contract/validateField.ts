import { normaliseValue } from './fieldTypes.ts'
import type { Field } from './generated.ts'
import { visibleRows } from './repeatRows.ts'
import { toSchema } from './schema.ts'
import { type FieldErrors, type SchemaValidator, validateAnswers, withoutBlanks } from './validateAnswers.ts'
import type { ConditionContext, Values } from './when.ts'

interface FieldValidation {
  conditionContext: ConditionContext
  validateSchema: SchemaValidator
  /** YYYY-MM-DD where the service works. */
  today: string
  /** The fields that its rules can name. */
  siblings: Field[]
}

/** Validates one visible field as `applyChanges` with `all` does; `answers` are those of all visible fields. */
export function validateField(
  field: Field,
  answers: Values,
  { conditionContext, validateSchema, today, siblings }: FieldValidation,
): FieldErrors {
  const visibleAnswers = withoutBlanks({
    ...answers,
    [field.name]: normaliseValue(field, answers[field.name]),
  })
  const { [field.name]: answer, ...others } = visibleAnswers
  const visibleContext = { ...conditionContext, today, answers: visibleAnswers }
  const value = visibleRows(field, answer, visibleContext)
  const own = value === undefined ? {} : { [field.name]: value }
  const validated = { ...others, ...own }
  const group = { name: field.name, label: field.label, fields: [field] }
  const schema = toSchema([group], { ...visibleContext, answers: validated })
  const context = { ...conditionContext, today }
  return validateAnswers(schema, own, validateSchema, today, validated, context, labelsOf(siblings))
}

export function labelsOf(fields: Field[]): Map<string, string> {
  return new Map(fields.map(({ name, label }) => [name, label]))
}

/**
 * True if a value of a hidden field is one that the field can have. It is validated without the other answers: thousands
 * of columns can be hidden at once, and those that come back are validated with the whole form.
 */
export function isValidAlone(
  field: Field,
  value: unknown,
  conditionContext: ConditionContext,
  validateSchema: SchemaValidator,
): boolean {
  const today = String(conditionContext.today)
  const alone = { [field.name]: value }
  const errors = validateField(field, alone, { conditionContext, validateSchema, today, siblings: [field] })
  return Object.keys(errors).length === 0
}
