import { Button } from '@blueprintjs/core'
import type { RefObject } from 'react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { FormHandle } from '../form/FormView.tsx'
import { useContract } from '../runtime/contract.ts'
import { notify } from '../runtime/notices.ts'

interface Props {
  /** Saves the draft now and lets the person go. */
  onSave: () => Promise<void>
  form?: RefObject<FormHandle | null>
}

/** Saves what is there, as it is, and leaves without asking. */
export function SaveDraft({ onSave, form }: Props) {
  const { screens } = useContract()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const list = Object.values(screens).find((s) => s.kind === 'list' && s.source === 'drafts.list')
  const save = async () => {
    form?.current?.flush()
    setBusy(true)
    try {
      await onSave()
      notify({ kind: 'success', text: 'Draft saved' })
      navigate(list?.route ?? '/')
    } catch {
      // Whoever watches over the calls has told of it; everything is still here.
      setBusy(false)
    }
  }
  return <Button variant="minimal" text="Save draft" loading={isBusy} onClick={() => void save()} />
}
