import { type RefObject, useEffect, useRef } from 'react'
import type { Values } from '../../contract/when.ts'
import { changesOf, rebase } from './store/changes.ts'
import { documentOf } from './store/documentOf.ts'
import type { FormHandle } from './store/formStore.ts'
import type { FormSection } from './store/sections.ts'

interface BaseOptions {
  form: RefObject<FormHandle | null>
  /** As last fetched. */
  record: Values
  initial: Values
  sections: FormSection[]
}

/** The record that a form is compared with, and its version; a newer record rebases the form onto it. */
export function useBase({ form, record, initial, sections }: BaseOptions) {
  const base = useRef(initial)
  const version = useRef(record.version)
  const changesInDocument = () => changesOf(base.current, form.current?.document() ?? base.current, sections)
  const changes = () => {
    form.current?.flush()
    return changesInDocument()
  }
  const rebaseOnto = (record: Values) => {
    const newer = documentOf(record)
    if (!form.current || Number(newer.version) < Number(version.current)) return
    form.current.flush()
    const rebased = rebase(base.current, form.current.document(), newer, sections)
    base.current = rebased.base
    // On a conflict keep the old version, so that the server answers 409 with who changed it and when.
    if (rebased.conflicts.length === 0) version.current = newer.version
    form.current.merge(rebased.merge)
  }
  const rebaseRef = useRef(rebaseOnto)
  rebaseRef.current = rebaseOnto
  const firstRecord = useRef(record)
  useEffect(() => {
    if (record !== firstRecord.current) rebaseRef.current(record)
  }, [record])
  return { base, version, changes, changesInDocument, rebaseOnto }
}
