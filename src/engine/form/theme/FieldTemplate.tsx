import { Classes } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { FIELD_TYPES, isEditable, isQuestion } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { presetWidget } from '../widgets/Presets.tsx'
import { hasRadios } from '../widgets/Radios.tsx'
import { describedBy, type FieldTemplateAreaProps, fieldOf, hintOf } from '../widgets/widgetProps.ts'

/** The parts of values, such as the telephone number of a contact. */
const PARTS = new Set(Object.values(FIELD_TYPES).flatMap(({ parts = [] }) => parts))

/** Label, hint, control and first error of a field. Notes, and schema nodes without a field, have no label or error. */
export function FieldTemplate({ id, required, rawErrors, uiSchema, children }: FieldTemplateAreaProps) {
  const field = fieldOf(uiSchema?.['ui:options'])
  if (!field) return children
  if (!isQuestion(field)) return <div className={noteClass(field)}>{children}</div>
  const isReadOnly = field.attrs?.read_only === true
  const error = !isEditable(field) ? undefined : rawErrors?.[0]
  const hint = hintOf(field) && (
    <div className="field-hint" id={`${id}-hint`}>
      {hintOf(field)}
    </div>
  )
  const message = error && (
    <div className="field-error" id={`${id}-error`}>
      <span className="visually-hidden">Error: </span>
      {error}
    </div>
  )
  const warning = uiSchema!['ui:options']!.warning as string | undefined
  const notice = warning && (
    <div className="field-warning" id={`${id}-warning`}>
      <span className="visually-hidden">Warning: </span>
      {warning}
    </div>
  )
  const why = uiSchema!['ui:options']!.why as ReactNode
  const content = (
    <>
      {hint}
      {children}
      {message}
      {notice}
      {why}
    </>
  )
  const className = ['field', `field-${field.type}`, error && 'field-invalid'].filter(Boolean).join(' ')
  const label = <Label field={field} isMarked={!required && isEditable(field) && !PARTS.has(field)} />
  // A row of a matrix, with the options beside the question, its hint and its error.
  if (uiSchema!['ui:options']!.columns) {
    return (
      <div
        id={id}
        className={`${className} matrix-row`}
        aria-labelledby={`${id}-label`}
        aria-describedby={describedBy(id, field, Boolean(error))}
        role="radiogroup"
        aria-required={required || undefined}
        aria-invalid={Boolean(error) || undefined}
      >
        <div>
          <div className={Classes.LABEL} id={`${id}-label`}>
            {label}
          </div>
          {hint}
          {message}
          {why}
        </div>
        {children}
      </div>
    )
  }
  if (isReadOnly) {
    return (
      <div className={className}>
        <div className={Classes.LABEL}>{label}</div>
        {content}
      </div>
    )
  }
  if (isEditable(field) && (FIELD_TYPES[field.type].controls || isOfRadios(field))) {
    return (
      <FieldSet
        id={id}
        field={field}
        className={className}
        required={required}
        isWrong={Boolean(error)}
        label={label}
      >
        {content}
      </FieldSet>
    )
  }
  return (
    <div className={className}>
      <label className={Classes.LABEL} htmlFor={id}>
        {label}
      </label>
      {content}
    </div>
  )
}

/** True if a type that normally has one control has several here. */
function isOfRadios(field: Field): boolean {
  return hasRadios(field) || presetWidget(field) !== undefined
}

function noteClass({ attrs }: Field): string {
  return attrs?.tone === 'warning' ? 'field field-note note-warning' : 'field field-note'
}

/** The label of a field, marked as optional if it needs no answer. */
function Label({ field, isMarked }: { field: Field; isMarked: boolean }) {
  return (
    <>
      {field.label}
      {isMarked && <span className="field-optional"> (optional)</span>}
    </>
  )
}

function FieldSet(props: {
  id: string
  field: Field
  className: string
  required?: boolean
  isWrong: boolean
  label: ReactNode
  children: ReactNode
}) {
  const { id, field, isWrong } = props
  // ARIA allows required and invalid only on a radiogroup; other sets say it in their text.
  const radios = (FIELD_TYPES[field.type].controls === 'radios' || isOfRadios(field)) && {
    role: 'radiogroup',
    'aria-required': props.required || undefined,
    'aria-invalid': isWrong || undefined,
  }
  return (
    <fieldset
      id={id}
      className={props.className}
      aria-describedby={describedBy(id, field, isWrong)}
      {...radios}
    >
      <legend className={Classes.LABEL}>{props.label}</legend>
      {props.children}
    </fieldset>
  )
}
