import { type RefObject, useEffect } from 'react'
import type { FieldErrors } from '../../contract/validateAnswers.ts'
import type { ConditionContext, Values } from '../../contract/when.ts'
import { type FormHandle, type FormSection, FormView } from '../form/FormView.tsx'

interface Props {
  form: RefObject<FormHandle | null>
  sections: FormSection[]
  document: Values
  conditionContext: ConditionContext
  /** What to show at once: the server's messages, or 'own' for the step's. */
  errors: FieldErrors | 'own' | undefined
  onChange: (document: Values, path: string) => void
}

/** The questions of a step, over the whole document. */
export function StepForm({ form, sections, document, conditionContext, errors, onChange }: Props) {
  useEffect(() => {
    if (errors === 'own') form.current?.submit()
    else if (errors) form.current?.showErrors(errors)
  }, [form, errors])
  return (
    <FormView
      ref={form}
      sections={sections}
      initial={document}
      conditionContext={conditionContext}
      onChange={onChange}
    />
  )
}
