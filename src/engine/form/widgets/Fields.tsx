import type { ErrorSchema } from '@rjsf/utils'
import { type ComponentType, memo } from 'react'
import { isEditable, isQuestion, isRendered, takesSeveralChoices } from '../../../contract/fieldTypes.ts'
import type { Field, GroupAttrs, Option } from '../../../contract/generated.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import { limitWarning } from '../../../contract/limitError.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import { ErrorBoundary } from '../../core/ErrorBoundary.tsx'
import { today } from '../../core/today.ts'
import { type FieldNode, withFollowUps } from '../store/followUps.ts'
import type { FormContext, FormRegistry } from '../store/formContext.ts'
import { join } from '../store/paths.ts'
import type { GroupedField } from '../store/sections.ts'
import { Matrix, MatrixRow, useMatrixColumns } from './Matrix.tsx'
import { presetWidget } from './Presets.tsx'
import { hasRadios } from './Radios.tsx'
import { hasReason, WhyButton } from './WhyButton.tsx'
import type { FieldTemplateAreaProps, FieldWidgetProps, FollowUp } from './widgetProps.ts'

/** One field: rjsf's template around rjsf's widget of its type, memoised by its props. */
const FieldView = memo(function FieldView({
  path,
  field,
  isRequired,
  value,
  errors,
  columns,
  explains,
  followUps,
  registry,
}: FieldViewProps) {
  const { store, idPrefix } = registry.formContext
  const FieldTemplate = registry.templates.FieldTemplate as unknown as ComponentType<FieldTemplateAreaProps>
  const Widget =
    presetWidget(field) ?? (registry.widgets[widgetOf(field)] as unknown as ComponentType<FieldWidgetProps>)
  // A limit only warns about a stored value that nobody changed; typed values get an error instead.
  const isStored = isSet(value) && !errors && !store.isFieldDirty(path)
  const warning = isStored ? limitWarning(field, value, today()) : undefined
  const options = { spec: field, columns, explains, warning }
  const isExplained = explains && hasReason(field, isRequired, errors?.__errors?.[0])
  const why = isExplained && <WhyButton store={store} paths={[path]} about={field.label} />
  const shared = {
    id: join(idPrefix, path),
    label: field.label,
    required: isRequired,
    rawErrors: errors?.__errors,
    registry,
  }
  const props: FieldWidgetProps = {
    ...shared,
    name: field.name,
    options,
    value,
    errorSchema: errors,
    onChange: (next) => store.set(path, next),
    onBlur: () => store.blur(path),
  }
  // Only check boxes render follow-ups below each choice; those of other widgets are below the widget.
  const isInside = widgetOf(field) === field.type && takesSeveralChoices(field)
  const view = (
    <FieldTemplate {...shared} uiSchema={{ 'ui:options': { ...options, why } }}>
      {columns ? (
        <MatrixRow {...props} columns={columns} />
      ) : (
        // A widget that fails, such as to load, must not unmount the form and lose what was typed.
        <ErrorBoundary what={field.label}>
          <Widget {...props} {...(isInside && { followUps })} />
        </ErrorBoundary>
      )}
    </FieldTemplate>
  )
  if (!followUps || isInside) return view
  return (
    <>
      {view}
      <div className="follow-ups">{followUps.map(({ content }) => content)}</div>
    </>
  )
}, areEqual)

interface Props {
  /** Path of the values from the root of the document. */
  at: string
  fields: Field[]
  layout?: GroupAttrs['layout']
  explains?: boolean
  required: Set<string>
  values: Values
  errors: ErrorSchema | undefined
  registry: FormRegistry
  frame?: FormContext['frame']
}

/** Maximum number of fields in a frame. */
const FRAMED = 10

/** The fields at a place of the document, as a list or a table; follow-ups are below their choice. */
export function Fields(props: Props) {
  const { at, fields, layout, explains, required, values, errors, registry, frame: Frame } = props
  const columns = useMatrixColumns(layout, fields, values)
  const view = ({ field, followUps }: FieldNode) => (
    <FieldView
      key={field.name}
      path={join(at, field.name)}
      field={field}
      isRequired={required.has(field.name)}
      value={values[field.name]}
      errors={errors?.[field.name]}
      columns={columns}
      explains={explains}
      followUps={
        followUps.length > 0
          ? followUps.map(({ choice, node }) => ({ choice, content: view(node) }))
          : undefined
      }
      registry={registry}
    />
  )
  const visibleFields = fields.filter(hasOwnControl)
  const nodes = columns ? visibleFields.map(alone) : withFollowUps(visibleFields)
  if (columns) return <Matrix columns={columns}>{nodes.map(view)}</Matrix>
  if (!Frame) return nodes.map(view)
  const { idPrefix } = registry.formContext
  return Array.from({ length: Math.ceil(nodes.length / FRAMED) }, (_, i) => {
    const framed = nodes.slice(i * FRAMED, (i + 1) * FRAMED)
    const names = framed.flatMap(namesIn)
    return (
      <Frame
        key={i}
        ids={names.map((name) => join(idPrefix, join(at, name)))}
        isWrong={names.some((name) => errors?.[name])}
      >
        {framed.map(view)}
      </Frame>
    )
  })
}

interface FieldViewProps {
  /** From the root of the document. */
  path: string
  field: Field
  isRequired: boolean
  value: unknown
  errors: ErrorSchema | undefined
  /** Columns of the table in which the field is a row. */
  columns?: Option[]
  explains?: boolean
  /** Follow-ups of its choices, which change with each render of the group. */
  followUps?: FollowUp[]
  registry: FormRegistry
}

function namesIn({ field, followUps }: FieldNode): string[] {
  return [field.name, ...followUps.flatMap(({ node }) => namesIn(node))]
}

function alone(field: Field): FieldNode {
  return { field, followUps: [] }
}

/** True for a field with a control of its own: not hidden and, unless read-only, not set by a grouped list. */
function hasOwnControl({ attrs, answeredBy }: GroupedField): boolean {
  return isRendered({ attrs }) && (answeredBy === undefined || attrs?.read_only === true)
}

function widgetOf(field: GroupedField): string {
  const { type, attrs, grouped } = field
  if (isQuestion(field) && !isEditable(field)) return 'readOnly'
  if (grouped) return 'grouped'
  if (hasRadios(field)) return 'radios'
  return attrs?.ref ? 'ref' : type
}

function areEqual(before: FieldViewProps, after: FieldViewProps): boolean {
  const { errors: a, ...old } = before
  const { errors: b, ...now } = after
  const keys = Object.keys(old) as (keyof typeof old)[]
  return keys.every((key) => Object.is(old[key], now[key])) && isEqual(a, b)
}
