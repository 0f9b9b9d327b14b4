import { useEffect, useRef } from 'react'
import { type FormHandle, FormView } from '../form/FormView.tsx'
import { answers, group } from './fields.ts'

const SECTIONS = [{ key: 'all', at: '', groups: [group] }]
const CONTEXT = {}
const NOTHING = {}

/** A field of every type: empty, answered, wrong, and only shown. */
export function WidgetStates() {
  const wrong = useRef<FormHandle>(null)
  useEffect(() => void wrong.current?.submit(), [])
  return (
    <>
      <h2>Empty</h2>
      <FormView sections={SECTIONS} initial={NOTHING} conditionContext={CONTEXT} />
      <h2>Answered</h2>
      <FormView sections={SECTIONS} initial={answers} conditionContext={CONTEXT} />
      <h2>Wrong</h2>
      <FormView ref={wrong} sections={SECTIONS} initial={NOTHING} conditionContext={CONTEXT} hideSummary />
      <h2>Only shown</h2>
      <FormView sections={SECTIONS} initial={answers} conditionContext={CONTEXT} readOnly />
    </>
  )
}
