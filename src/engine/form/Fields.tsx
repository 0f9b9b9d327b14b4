import type { ErrorSchema } from '@rjsf/utils'
import type { Field } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { FieldView } from './FieldView.tsx'
import type { FormRegistry } from './formContext.ts'
import { join } from './paths.ts'

interface Props {
  /** Where the values stand, from the root of the document. */
  at: string
  fields: Field[]
  required: Set<string>
  values: Values
  errors: ErrorSchema | undefined
  registry: FormRegistry
}

/** Fields of one place, one below the other. */
export function Fields({ at, fields, required, values, errors, registry }: Props) {
  return fields.map((field) => (
    <FieldView
      key={field.name}
      path={join(at, field.name)}
      field={field}
      isRequired={required.has(field.name)}
      value={values[field.name]}
      errors={errors?.[field.name]}
      registry={registry}
    />
  ))
}
