import type { ErrorSchema } from '@rjsf/utils'
import { type ComponentType, memo } from 'react'
import { isEqual } from '../../contract/applyChanges.ts'
import type { Field } from '../../contract/generated.ts'
import type { FieldTemplateAreaProps, FieldWidgetProps } from '../widgets/widgetProps.ts'
import type { FormRegistry } from './formContext.ts'
import { join } from './paths.ts'

interface Props {
  /** From the root of the document. */
  path: string
  field: Field
  isRequired: boolean
  value: unknown
  errors: ErrorSchema | undefined
  registry: FormRegistry
}

/** One field: rjsf's template around rjsf's widget of its type, drawn again only when something of this field changes. */
export const FieldView = memo(function FieldView({
  path,
  field,
  isRequired,
  value,
  errors,
  registry,
}: Props) {
  const { store, idPrefix } = registry.formContext
  const FieldTemplate = registry.templates.FieldTemplate as unknown as ComponentType<FieldTemplateAreaProps>
  const Widget = registry.widgets[widgetOf(field)] as unknown as ComponentType<FieldWidgetProps>
  const options = { spec: field }
  const shared = {
    id: join(idPrefix, path),
    label: field.label,
    required: isRequired,
    rawErrors: errors?.__errors,
    registry,
  }
  return (
    <FieldTemplate {...shared} uiSchema={{ 'ui:options': options }}>
      <Widget
        {...shared}
        name={field.name}
        options={options}
        value={value}
        errorSchema={errors}
        onChange={(next) => store.set(path, next)}
        onBlur={() => store.blur(path)}
      />
    </FieldTemplate>
  )
}, areEqual)

function widgetOf({ type, attrs }: Field): string {
  if (attrs?.read_only) return 'readOnly'
  return attrs?.ref ? 'ref' : type
}

function areEqual(before: Props, after: Props): boolean {
  const { errors: a, ...old } = before
  const { errors: b, ...now } = after
  const keys = Object.keys(old) as (keyof typeof old)[]
  return keys.every((key) => Object.is(old[key], now[key])) && isEqual(a, b)
}
