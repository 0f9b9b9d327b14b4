import { Classes } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { isAsked } from '../../contract/fieldTypes.ts'
import type { Field, FieldType } from '../../contract/generated.ts'
import { CONTACT_PARTS } from '../widgets/contactParts.ts'
import { presetWidget } from '../widgets/Presets.tsx'
import { hasRadios } from '../widgets/Radios.tsx'
import { describedBy, type FieldTemplateAreaProps, fieldOf, hintOf } from '../widgets/widgetProps.ts'

/** Fields that are asked with several controls, under a legend instead of a label. */
const SETS: FieldType[] = ['yesno', 'scale', 'multiselect', 'month', 'signature', 'contact', 'repeat']
const RADIOS: FieldType[] = ['yesno', 'scale']

/** Label, hint, control and message of a field; the first message counts. What is no field is drawn bare. */
export function FieldTemplate({ id, required, rawErrors, uiSchema, children }: FieldTemplateAreaProps) {
  const field = fieldOf(uiSchema?.['ui:options'])
  if (!field) return children
  if (field.type === 'note') return <div className={noteClass(field)}>{children}</div>
  const isReadOnly = field.attrs?.read_only === true
  const error = !isAsked(field) ? undefined : rawErrors?.[0]
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
  const why = uiSchema!['ui:options']!.why as ReactNode
  const content = (
    <>
      {hint}
      {children}
      {message}
      {why}
    </>
  )
  const className = ['field', `field-${field.type}`, error && 'field-invalid'].filter(Boolean).join(' ')
  const label = (
    <Label field={field} isMarked={!required && isAsked(field) && !CONTACT_PARTS.includes(field)} />
  )
  // A row of a table, whose answers stand beside the question and all that is said of it.
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
  if (isAsked(field) && (SETS.includes(field.type) || isOfRadios(field))) {
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

/** Whether a type that is asked with one control is asked with several here. */
function isOfRadios(field: Field): boolean {
  return hasRadios(field) || presetWidget(field) !== undefined
}

function noteClass({ attrs }: Field): string {
  return attrs?.tone === 'warning' ? 'field field-note note-warning' : 'field field-note'
}

/** Every field is asked for an answer; those that need none say so. */
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
  // Only a set of radios may say that it is required or wrong; other sets say it in words.
  const radios = (RADIOS.includes(field.type) || isOfRadios(field)) && {
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
