import type { AxiosError } from 'axios'
import { useRef, useState } from 'react'
import { useSend } from '../engine/calls.ts'
import { notify } from '../engine/notices.ts'
import { type CaseType, type Draft, draftOf } from './caseType.ts'
import { type Found, refusalsOf } from './found.ts'

/** What somebody else published since the case type was opened; `at` is ISO with zone. */
export interface Clash {
  by?: string
  at?: string
  theirs: CaseType
}
interface Given {
  draft: Draft
  isDirty: boolean
  /** Problems of the draft as a change of what is published. */
  check: (base: CaseType) => Found[]
  onSaved: (saved: CaseType) => void
}

/** Publishing: what keeps it from happening here, what the server has against it, and who was faster. */
export function useSave({ draft, isDirty, check, onSaved }: Given) {
  const send = useSend<CaseType>('caseTypes.update')
  const going = useRef(false)
  const [tries, setTries] = useState(0)
  const [refused, setRefused] = useState<{ draft: Draft; found: Found[] }>()
  const [clash, setClash] = useState<Clash>()

  async function save(base: CaseType): Promise<'bad' | 'same' | 'saved' | 'failed'> {
    if (going.current) return 'same'
    setTries((n) => n + 1)
    setRefused(undefined)
    if (check(base).length > 0) return 'bad'
    if (!isDirty && !clash) return 'same'
    going.current = true
    try {
      const body = { ...draftOf(draft), version: base.version }
      const saved = await send.mutateAsync({ params: { id: base.id }, body })
      setClash(undefined)
      onSaved(saved)
      notify({ kind: 'success', text: `Saved as version ${saved.version}` })
      return 'saved'
    } catch (error) {
      hear(error as AxiosError<Record<string, unknown>>)
      return 'failed'
    } finally {
      going.current = false
    }
  }
  function hear({ response }: AxiosError<Record<string, unknown>>) {
    const { code, current, by, at } = response?.data ?? {}
    if (response?.status === 409 && code === 'conflict' && current) {
      setClash({ theirs: current as CaseType, ...(by ? { by: String(by), at: String(at) } : {}) })
    } else if (response?.status === 400) setRefused({ draft, found: refusalsOf(draft, response.data) })
  }
  return {
    save,
    busy: send.isPending,
    tries,
    // Another draft is not the one that was refused.
    refusals: refused?.draft === draft ? refused.found : [],
    clash,
    settleClash: () => setClash(undefined),
  }
}
