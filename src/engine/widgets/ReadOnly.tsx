import { ReadValue } from '../form/ReadView.tsx'
import { type FieldWidgetProps, fieldOf } from './widgetProps.ts'

/** A value that is seen on a form and changed elsewhere. */
export function ReadOnly({ id, value, options, registry }: FieldWidgetProps) {
  const { store, pathOf } = registry.formContext
  return (
    <ReadValue
      field={fieldOf(options)!}
      value={value}
      conditionContext={store.conditionContextAt(pathOf(id))}
    />
  )
}
