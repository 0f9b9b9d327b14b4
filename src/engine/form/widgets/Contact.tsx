import { FIELD_TYPES } from '../../../contract/fieldTypes.ts'
import type { Values } from '../../../contract/when.ts'
import { Fields } from './Fields.tsx'
import { type FieldWidgetProps, fieldOf } from './widgetProps.ts'

const NONE = new Set<string>()

/** A value with parts, with a control for each of them. */
export function Contact({ id, value, options, errorSchema, registry }: FieldWidgetProps) {
  return (
    <Fields
      at={registry.formContext.pathOf(id)}
      fields={FIELD_TYPES[fieldOf(options)!.type].parts!}
      required={NONE}
      values={(value ?? {}) as Values}
      errors={errorSchema}
      registry={registry}
    />
  )
}
