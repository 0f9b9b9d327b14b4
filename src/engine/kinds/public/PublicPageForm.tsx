import { Button } from '@blueprintjs/core'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import type { ConditionContext, Values } from '../../../contract/when.ts'
import { type FormHandle, FormView } from '../../form/FormView.tsx'
import { mergeAt, placesOf } from '../../form/store/mergeAt.ts'
import { defaultsFor } from '../../form/store/sections.ts'
import type { PublicPage } from './pages.ts'

interface Props {
  page: PublicPage
  /** The values of the visible fields of all pages, and all values of this page. */
  document: Values
  context: ConditionContext
  /** Validation errors from the server for this page. */
  errors: FieldErrors | undefined
  /** Page before this one. */
  back: string | undefined
  onChange: (values: Values) => void
  onNext: (isToCheck: boolean) => void
}

/** One page of a public form. It is validated on Continue only; going back does not lose input. */
export function PublicPageForm({ page, document, context, errors, back, onChange, onNext }: Props) {
  const form = useRef<FormHandle>(null)
  const { state } = useLocation()
  const sections = useMemo(() => [page.section], [page.section])
  const [initial] = useState(() => mergeAt(defaultsFor(sections), document, placesOf(sections)))
  const change = useRef(onChange)
  change.current = onChange
  // The default of a field is an answer too.
  useEffect(() => change.current(initial), [initial])
  useEffect(() => {
    if (errors) form.current?.showErrors(errors)
  }, [errors])
  const next = (event: FormEvent) => {
    event.preventDefault()
    if (Object.keys(form.current!.submit()).length === 0) onNext(state?.toCheck === true)
  }
  return (
    <form noValidate onSubmit={next}>
      <FormView
        ref={form}
        sections={sections}
        initial={initial}
        conditionContext={context}
        onChange={(values) => change.current(values)}
      />
      <div className="public-bar">
        <Button type="submit" intent="primary" size="large" text="Continue" />
        {back && (
          <Link to={`?step=${back}`} onClick={() => form.current?.flush()}>
            Back
          </Link>
        )}
      </div>
    </form>
  )
}
