import { type RefObject, useEffect, useRef } from 'react'
import type { Values } from '../../contract/when.ts'
import type { FormHandle, FormSection } from '../../engine/form/FormView.tsx'
import { defaultsFor } from '../../engine/form/sections.ts'

/** Lets the sample begin as a new form does, also with what a field is told to begin as later on; typed answers stay. */
export function useSampleDefaults(form: RefObject<FormHandle | null>, sections: FormSection[]): void {
  const applied = useRef<Values>({})
  useEffect(() => {
    const next = (defaultsFor(sections).answers ?? {}) as Values
    const answers = (form.current?.document().answers ?? {}) as Values
    const newDefaults = Object.entries(next).filter(
      ([name, value]) =>
        value !== applied.current[name] &&
        (answers[name] === undefined || answers[name] === applied.current[name]),
    )
    applied.current = next
    if (newDefaults.length > 0) form.current?.merge({ answers: Object.fromEntries(newDefaults) })
  }, [form, sections])
}
