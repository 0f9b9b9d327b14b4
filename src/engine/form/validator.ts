import { toErrorList, type ValidatorType } from '@rjsf/utils'
import type { FieldSchema } from '../../contract/fieldTypes.ts'
import { validateAnswers, withoutBlanks } from '../../contract/validateAnswers.ts'
import type { Values } from '../../contract/when.ts'
import { today } from '../runtime/today.ts'
import { errorSchemaOf } from './errorSchema.ts'
import { validateSchema } from './validateSchema.ts'

/** Judges for rjsf what it draws: the same words as on the server, and no code made at run time. */
export const validator: ValidatorType<Values> = {
  validateFormData(values, schema) {
    const errors = validateAnswers(
      schema as FieldSchema,
      withoutBlanks(values ?? {}),
      validateSchema,
      today(),
    )
    const errorSchema = errorSchemaOf(errors)
    return { errors: toErrorList(errorSchema), errorSchema }
  },
  isValid: (schema, values) => validateSchema(schema as FieldSchema, values ?? {}).length === 0,
  rawValidation: (schema, values) => ({
    errors: validateSchema(schema as FieldSchema, values ?? {}) as never[],
  }),
}
