import type { ErrorSchema, FieldProps, RJSFSchema } from '@rjsf/utils'
import { type ComponentType, memo, useLayoutEffect, useSyncExternalStore } from 'react'
import { isEqual } from '../../contract/applyChanges.ts'
import { isAsked, isDrawn } from '../../contract/fieldTypes.ts'
import type { Field, GroupAttrs, Option } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { presetWidget } from '../widgets/Presets.tsx'
import { hasRadios } from '../widgets/Radios.tsx'
import type { FieldTemplateAreaProps, FieldWidgetProps, FollowUp } from '../widgets/widgetProps.ts'
import { foldId } from './FormIndex.tsx'
import { FEW_GROUPS, NO_FOLDS } from './folds.ts'
import { type FieldNode, withFollowUps } from './followUps.ts'
import type { FormContext, FormRegistry } from './formContext.ts'
import { Matrix, MatrixRow, useMatrixColumns } from './Matrix.tsx'
import { join } from './paths.ts'
import type { RenderedGroup } from './renderedGroups.ts'
import type { GroupedField } from './sections.ts'
import { hasReason, WhyButton } from './WhyButton.tsx'

interface GroupProps {
  group: RenderedGroup
  registry: FormRegistry
  /** It is one of many, which can be folded. */
  isFoldable: boolean
}

/** One group with its heading, which may fold it; what is wrong in it opens it. */
const Group = memo(function Group({ group, registry, isFoldable }: GroupProps) {
  const { key, label, errors } = group
  const { idPrefix, folds = NO_FOLDS } = registry.formContext
  const isFolded = useSyncExternalStore(folds.subscribe, () => isFoldable && folds.isFolded(key))
  const isWrong = Object.keys(errors).length > 0
  useLayoutEffect(() => {
    if (isWrong) folds.set(key, false)
  }, [folds, key, isWrong])
  const heading = `${idPrefix}-${key}`
  const button = foldId(idPrefix, key)
  return (
    <section className="form-section" aria-labelledby={label ? heading : undefined}>
      {label && (
        <h2 id={heading}>
          {isFoldable ? (
            <button
              type="button"
              id={button}
              className="fold"
              aria-expanded={!isFolded}
              aria-controls={`${button}-content`}
              onClick={() => folds.set(key, !isFolded)}
            >
              {label}
            </button>
          ) : (
            label
          )}
        </h2>
      )}
      {/* It stays, folded or not: its controls hold text that is not stored yet. */}
      <div id={`${button}-content`} className="fold-content" hidden={isFolded}>
        <GroupFields group={group} registry={registry} />
      </div>
    </section>
  )
})

/** The fields of a group, and why it asks no others. */
function GroupFields({ group, registry }: { group: RenderedGroup; registry: FormRegistry }) {
  const { key, label, unasked = [], ...content } = group
  const { store } = registry.formContext
  const count = unasked.length === 1 ? '1 question is' : `${unasked.length} questions are`
  return (
    <>
      <Fields {...content} registry={registry} />
      {unasked.length > 0 && (
        <div className="why-unasked">
          {count} not asked.{' '}
          <WhyButton
            store={store}
            paths={unasked.map((name) => join(group.at, name))}
            about={`${label}: questions not asked`}
          />
        </div>
      )}
    </>
  )
}

/** One field: rjsf's template around rjsf's widget of its type, drawn again only when something of this field changes. */
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
  const options = { spec: field, columns, explains }
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
  // Only check boxes have room below each choice; what follows any other set or list stands below it.
  const isInside = widgetOf(field) === 'multiselect'
  const view = (
    <FieldTemplate {...shared} uiSchema={{ 'ui:options': { ...options, why } }}>
      {columns ? (
        <MatrixRow {...props} columns={columns} />
      ) : (
        <Widget {...props} {...(isInside && { followUps })} />
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
  /** Where the values stand, from the root of the document. */
  at: string
  fields: Field[]
  layout?: GroupAttrs['layout']
  explains?: boolean
  required: Set<string>
  values: Values
  errors: ErrorSchema | undefined
  registry: FormRegistry
}

/** Fields of one place, one below the other or as a table; what a choice brings up stands below that choice. */
export function Fields({ at, fields, layout, explains, required, values, errors, registry }: Props) {
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
  const shown = fields.filter(standsAlone)
  const views = (columns ? shown.map(alone) : withFollowUps(shown)).map(view)
  return columns ? <Matrix columns={columns}>{views}</Matrix> : views
}

interface FieldViewProps {
  /** From the root of the document. */
  path: string
  field: Field
  isRequired: boolean
  value: unknown
  errors: ErrorSchema | undefined
  /** Of the table in which the field is a row. */
  columns?: Option[]
  explains?: boolean
  /** The questions that its choices bring up, drawn anew whenever their group is. */
  followUps?: FollowUp[]
  registry: FormRegistry
}

function alone(field: Field): FieldNode {
  return { field, followUps: [] }
}

/** What is shown only is shown by itself, though another field's list answers it; what is hidden is not drawn. */
function standsAlone({ attrs, askedBy }: GroupedField): boolean {
  return isDrawn({ attrs }) && (askedBy === undefined || attrs?.read_only === true)
}

function widgetOf(field: GroupedField): string {
  const { type, attrs, grouped } = field
  if (type !== 'note' && !isAsked(field)) return 'readOnly'
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

/** The groups of a form as the store has them now; rjsf takes it for the form's one field. */
export function Groups({ registry }: FieldProps<unknown, RJSFSchema, FormContext>) {
  const { store, only, folds } = registry.formContext
  const groups = useSyncExternalStore(store.subscribe, store.groups)
  if (only !== undefined) {
    const group = groups.find(({ key }) => key === only)
    return group && <GroupFields group={group} registry={registry} />
  }
  const drawn = groups.filter(({ fields }) => fields.some(isDrawn))
  const isLong = folds !== undefined && drawn.length > FEW_GROUPS
  return drawn.map((group) => (
    <Group key={group.key} group={group} registry={registry} isFoldable={isLong && group.label !== ''} />
  ))
}
