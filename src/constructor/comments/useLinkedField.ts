import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import { seek } from '../state/address.ts'
import type { EditorState } from '../state/useEditor.ts'

const FORMS: Record<string, MetaName> = { case: 'case_meta', issue: 'issue_meta' }

/** Selects the field that the address of the page names once it is opened (`#case.family.phone`). */
export function useLinkedField({ history, goTo }: EditorState): void {
  const { hash } = useLocation()
  const followed = useRef<string>(undefined)
  useEffect(() => {
    if (hash === '' || followed.current === hash) return
    followed.current = hash
    const [form, ...key] = decodeURIComponent(hash.slice(1)).split('.')
    const meta = Object.hasOwn(FORMS, form) ? FORMS[form] : undefined
    const address = meta && seek(history.draft[meta], ['', ...key])
    if (address) goTo({ meta, address })
  })
}
