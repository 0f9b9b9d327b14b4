import { type RefObject, useEffect, useRef } from 'react'
import type { Values } from '../../contract/when.ts'
import { changesOf, rebase } from './store/changes.ts'
import type { Conflict } from './store/conflict.ts'
import { documentOf } from './store/documentOf.ts'
import type { FormHandle } from './store/formStore.ts'
import { getAt } from './store/paths.ts'
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
  const newest = useRef(record)
  /**
   * Rebases the form onto a record, or onto the newest one if that is older; returns the conflicts that this leaves.
   */
  const rebaseOnto = (record: Values): Conflict | undefined => {
    if (!form.current) return undefined
    if (!isOlder(record, newest.current)) newest.current = record
    const theirs = documentOf(newest.current)
    form.current.flush()
    const mine = form.current.document()
    const rebased = rebase(base.current, mine, theirs, sections)
    base.current = rebased.base
    form.current.merge(rebased.merge)
    // On a conflict keep the old version, so that the server answers 409 with who changed it and when.
    if (rebased.conflicts.length === 0) version.current = theirs.version
    const fields = rebased.conflicts.map((path) => [
      path,
      { base: getAt(base.current, path), mine: getAt(mine, path), theirs: getAt(theirs, path) },
    ])
    return fields.length > 0 ? { fields: Object.fromEntries(fields), current: newest.current } : undefined
  }
  const rebaseRef = useRef(rebaseOnto)
  rebaseRef.current = rebaseOnto
  useEffect(() => {
    if (record !== newest.current) rebaseRef.current(record)
  }, [record])
  return { base, version, changes, changesInDocument, rebaseOnto }
}

/** True if a record has a lower version than another one; false if one of them has none. */
export function isOlder(record: Values, other: Values): boolean {
  return Number(record.version) < Number(other.version)
}
