import { toErrorList, type ValidatorType } from '@rjsf/utils'
import type { FieldSchema } from '../../contract/fieldTypes.ts'
import { judge, withoutBlanks } from '../../contract/judge.ts'
import type { Values } from '../../contract/when.ts'
import { check } from './check.ts'
import { errorSchemaOf } from './errorSchema.ts'
import { today } from './today.ts'

/** Judges for rjsf what it draws: the same words as on the server, and no code made at run time. */
export const validator: ValidatorType<Values> = {
  validateFormData(values, schema) {
    const errors = judge(schema as FieldSchema, withoutBlanks(values ?? {}), check, today())
    const errorSchema = errorSchemaOf(errors)
    return { errors: toErrorList(errorSchema), errorSchema }
  },
  isValid: (schema, values) => check(schema as FieldSchema, values ?? {}).length === 0,
  rawValidation: (schema, values) => ({ errors: check(schema as FieldSchema, values ?? {}) as never[] }),
}
