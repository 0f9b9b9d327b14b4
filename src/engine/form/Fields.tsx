import type { ErrorSchema, FieldProps, RJSFSchema } from '@rjsf/utils'
import { type ComponentType, memo, useSyncExternalStore } from 'react'
import { isEqual } from '../../contract/applyChanges.ts'
import { isAsked, isDrawn } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { presetWidget } from '../widgets/Presets.tsx'
import type { FieldTemplateAreaProps, FieldWidgetProps } from '../widgets/widgetProps.ts'
import type { FormContext, FormRegistry } from './formContext.ts'
import { join } from './paths.ts'
import type { RenderedGroup } from './renderedGroups.ts'
import type { GroupedField } from './sections.ts'

/** One group with its heading. */
const Group = memo(function Group({ group, registry }: { group: RenderedGroup; registry: FormRegistry }) {
  const { key, at, label, fields, required, values, errors } = group
  const heading = `${registry.formContext.idPrefix}-${key}`
  return (
    <section className="form-section" aria-labelledby={label ? heading : undefined}>
      {label && <h2 id={heading}>{label}</h2>}
      <Fields {...{ at, fields, required, values, errors, registry }} />
    </section>
  )
})

/** One field: rjsf's template around rjsf's widget of its type, drawn again only when something of this field changes. */
const FieldView = memo(function FieldView({
  path,
  field,
  isRequired,
  value,
  errors,
  registry,
}: FieldViewProps) {
  const { store, idPrefix } = registry.formContext
  const FieldTemplate = registry.templates.FieldTemplate as unknown as ComponentType<FieldTemplateAreaProps>
  const Widget =
    presetWidget(field) ?? (registry.widgets[widgetOf(field)] as unknown as ComponentType<FieldWidgetProps>)
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
  return fields
    .filter(standsAlone)
    .map((field) => (
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

interface FieldViewProps {
  /** From the root of the document. */
  path: string
  field: Field
  isRequired: boolean
  value: unknown
  errors: ErrorSchema | undefined
  registry: FormRegistry
}

/** What is shown only is shown by itself, though another field's list answers it; what is hidden is not drawn. */
function standsAlone({ attrs, askedBy }: GroupedField): boolean {
  return isDrawn({ attrs }) && (askedBy === undefined || attrs?.read_only === true)
}

function widgetOf(field: GroupedField): string {
  const { type, attrs, grouped } = field
  if (type !== 'note' && !isAsked(field)) return 'readOnly'
  if (grouped) return 'grouped'
  return attrs?.ref ? 'ref' : type
}

function areEqual(before: FieldViewProps, after: FieldViewProps): boolean {
  const { errors: a, ...old } = before
  const { errors: b, ...now } = after
  const keys = Object.keys(old) as (keyof typeof old)[]
  return keys.every((key) => Object.is(old[key], now[key])) && isEqual(a, b)
}

/** The groups of a form as the store has them now; rjsf takes it for the form's one field. */
export function Groups({ registry }: FieldProps<unknown, RJSFSchema, FormContext>) {
  const { store, only } = registry.formContext
  const groups = useSyncExternalStore(store.subscribe, store.groups)
  if (only !== undefined) {
    const group = groups.find(({ key }) => key === only)
    return group && <Fields {...group} registry={registry} />
  }
  const drawn = groups.filter(({ fields }) => fields.some(isDrawn))
  return drawn.map((group) => <Group key={group.key} group={group} registry={registry} />)
}
