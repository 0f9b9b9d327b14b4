import { Button } from '@blueprintjs/core'
import type { RefObject } from 'react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { DRAFT_DAYS } from '../../contract/limits.ts'
import { relativeDay } from '../../contract/relativeDay.ts'
import { formatDate } from '../cells/dates.ts'
import type { FormHandle } from '../form/FormView.tsx'
import { useContract } from '../runtime/contract.ts'
import { notify } from '../runtime/notices.ts'
import { zonedFormat } from '../runtime/timeZone.ts'
import { today } from '../runtime/today.ts'

interface Props {
  /** Saves the draft now and lets the person go. */
  onSave: () => Promise<void>
  /** When it was saved by itself last. */
  savedAt?: Date
  form?: RefObject<FormHandle | null>
}

const clock = zonedFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** Saves what is there, as it is, and leaves without asking; beside it, when that was done last. */
export function SaveDraft({ onSave, savedAt, form }: Props) {
  const { screens } = useContract()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const list = Object.values(screens).find((s) => s.kind === 'list' && s.source === 'drafts.list')
  const save = async () => {
    form?.current?.flush()
    setBusy(true)
    try {
      await onSave()
      const keptUntil = relativeDay(`+${DRAFT_DAYS}d`, today())!
      notify({ kind: 'success', text: `Draft saved. It is kept until ${formatDate(keptUntil)}.` })
      navigate(list?.route ?? '/')
    } catch {
      // Whoever watches over the calls has told of it; everything is still here.
      setBusy(false)
    }
  }
  return (
    <>
      <Button variant="minimal" text="Save draft" loading={isBusy} onClick={() => void save()} />
      {savedAt && <span className="draft-saved">Saved {clock(savedAt)}</span>}
    </>
  )
}
