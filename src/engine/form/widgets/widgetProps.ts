import { Classes } from '@blueprintjs/core'
import type { ErrorSchema, FieldTemplateProps, RJSFSchema, WidgetProps } from '@rjsf/utils'
import { type FocusEvent, type ReactNode, useCallback, useLayoutEffect, useRef } from 'react'
import { FIELD_TYPES } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import type { Literal } from '../../../contract/when.ts'
import type { FormContext } from '../store/formContext.ts'

/** A rendered field that is visible only for one choice of the field before it. */
export interface FollowUp {
  choice: Literal
  content: ReactNode
}

type WidgetPropName =
  | 'id'
  | 'name'
  | 'label'
  | 'value'
  | 'required'
  | 'rawErrors'
  | 'options'
  | 'onChange'
  | 'onBlur'
  | 'registry'

/**
 * Props of a widget, by rjsf's names: value, onChange, its field (`options.spec`), its form
 * (`registry.formContext`), and the errors of nested fields.
 */
export type FieldWidgetProps = Pick<WidgetProps<unknown, RJSFSchema, FormContext>, WidgetPropName> & {
  errorSchema?: ErrorSchema
  /** Rendered below its choices; only check boxes get them. */
  followUps?: FollowUp[]
}

export type FieldTemplateAreaProps = Pick<
  FieldTemplateProps<unknown, RJSFSchema, FormContext>,
  'id' | 'required' | 'rawErrors' | 'uiSchema' | 'children'
>

/** The field that a widget or template renders; undefined if there is none, as for a row. */
export function fieldOf(options: { [key: string]: unknown } | undefined): Field | undefined {
  return options?.spec as Field | undefined
}

/** The sentence under a field's label. */
export function hintOf(field: Field): string | undefined {
  return field.attrs?.help ?? FIELD_TYPES[field.type].hint
}

/** Value of aria-describedby: the ids of the hint and, if there is an error or a warning, of its message. */
export function describedBy(
  id: string,
  field: Field,
  isWrong: boolean,
  warning?: unknown,
): string | undefined {
  const ids = [
    hintOf(field) && `${id}-hint`,
    isWrong && `${id}-error`,
    Boolean(warning) && `${id}-warning`,
  ].filter(Boolean)
  return ids.length > 0 ? ids.join(' ') : undefined
}

/** Attributes that link a control to its label, hint and error. */
export function controlProps({ id, required, rawErrors, options }: FieldWidgetProps) {
  const isWrong = Boolean(rawErrors?.length)
  return {
    id,
    autoComplete: 'off',
    'aria-required': required || undefined,
    'aria-invalid': isWrong || undefined,
    'aria-describedby': describedBy(id, fieldOf(options)!, isWrong, options.warning),
  }
}

/** CSS classes of a native control. */
export function inputClass({ rawErrors }: FieldWidgetProps): string {
  return rawErrors?.length ? `${Classes.INPUT} ${Classes.INTENT_DANGER}` : Classes.INPUT
}

/**
 * `onChange` as of the latest render, for the reply to a request: rows may have moved since it was sent. Does nothing
 * once the widget is unmounted, because its row was removed.
 */
export function useLatestOnChange({ onChange }: FieldWidgetProps): FieldWidgetProps['onChange'] {
  const latest = useRef<FieldWidgetProps['onChange']>(undefined)
  useLayoutEffect(() => {
    latest.current = onChange
    return () => {
      latest.current = undefined
    }
  }, [onChange])
  return useCallback((value) => latest.current?.(value), [])
}

/** Blur handler for each control of a group: calls onBlur when the focus leaves the group for anything else. */
export function useGroupBlur({ id, value, onBlur }: FieldWidgetProps) {
  return useCallback(
    ({ relatedTarget }: FocusEvent) => {
      const isInside = document.getElementById(id)?.contains(relatedTarget)
      // A follow-up below a choice is another field.
      if (!isInside || relatedTarget?.closest('.follow-ups')) onBlur(id, value)
    },
    [id, value, onBlur],
  )
}
