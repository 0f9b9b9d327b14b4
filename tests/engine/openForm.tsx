import { act } from '@testing-library/react'
import { createRef } from 'react'
import type { Field, FieldType } from '../../src/contract/generated.ts'
import type { FieldErrors } from '../../src/contract/validateAnswers.ts'
import type { ConditionContext, Values } from '../../src/contract/when.ts'
import { type FormHandle, type FormSection, FormView } from '../../src/engine/form/FormView.tsx'
import { contract } from '../loadedContract.ts'
import { openElement } from './open.tsx'

/** A field whose label is its name, capitalised. */
export function field(
  name: string,
  type: FieldType,
  attrs: Field['attrs'] = {},
  more: Partial<Field> = {},
): Field {
  return { name, label: name[0].toUpperCase() + name.slice(1).replaceAll('_', ' '), type, attrs, ...more }
}

/** A form of one section with one group of these fields. */
export function section(fields: Field[], more: Partial<FormSection> = {}): FormSection[] {
  return [{ key: 's', at: '', groups: [{ name: 'g', label: 'Group', fields }], ...more }]
}

/** Renders a form without a screen around it; ids begin with 'f.'. */
export function openForm(
  sections: FormSection[],
  initial: Values = {},
  {
    conditionContext = {},
    readOnly = false,
    isStored = false,
    folds,
  }: {
    conditionContext?: ConditionContext
    readOnly?: boolean
    isStored?: boolean
    folds?: string
  } = {},
) {
  const ref = createRef<FormHandle>()
  const view = openElement(
    <FormView
      ref={ref}
      sections={sections}
      initial={initial}
      conditionContext={conditionContext}
      readOnly={readOnly}
      isStored={isStored}
      folds={folds}
      idPrefix="f"
    />,
    { contract },
  )
  const form = ref.current!
  /** The document with the text that is still debounced. */
  const values = () => {
    act(() => form.flush())
    return form.document()
  }
  /** Validates as Save does; `since` is the stored record. */
  const submit = (since?: Values) => {
    let errors: FieldErrors = {}
    act(() => {
      errors = form.submit(since)
    })
    return errors
  }
  return { ...view, form, values, submit }
}
