import { formOf } from '../store/formContext.ts'
import { ReadValue } from './ReadView.tsx'
import { type FieldWidgetProps, fieldOf } from './widgetProps.ts'

/** A value that is read-only on a form, or calculated. */
export function ReadOnly({ id, value, options, registry }: FieldWidgetProps) {
  const { store, pathOf } = formOf(registry)
  const field = fieldOf(options)!
  const text = (
    <ReadValue field={field} value={value} conditionContext={store.conditionContextAt(pathOf(id))} />
  )
  return field.attrs?.calc ? <output id={id}>{text}</output> : text
}
