import { CONTACT_PARTS } from '../../../contract/contactParts.ts'
import type { Values } from '../../../contract/when.ts'
import { Fields } from './Fields.tsx'
import type { FieldWidgetProps } from './widgetProps.ts'

const NONE = new Set<string>()

/** A contact, with a control for each of its parts. */
export function Contact({ id, value, errorSchema, registry }: FieldWidgetProps) {
  return (
    <Fields
      at={registry.formContext.pathOf(id)}
      fields={CONTACT_PARTS}
      required={NONE}
      values={(value ?? {}) as Values}
      errors={errorSchema}
      registry={registry}
    />
  )
}
