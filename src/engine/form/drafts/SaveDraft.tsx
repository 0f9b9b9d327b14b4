import { Button } from '@blueprintjs/core'
import type { RefObject } from 'react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { DRAFT_DAYS } from '../../../contract/limits.ts'
import { relativeDay } from '../../../contract/relativeDay.ts'
import { useContract } from '../../core/contract.ts'
import { formatDate } from '../../core/dates.ts'
import { notify } from '../../core/notices.ts'
import { zonedFormat } from '../../core/timeZone.ts'
import { today } from '../../core/today.ts'
import type { FormHandle } from '../store/formStore.ts'
import type { Draft } from './useDraft.ts'

interface Props {
  draft: Pick<Draft, 'saveAndLeave' | 'savedAt' | 'hasFailed'>
  form?: RefObject<FormHandle | null>
}

const clock = zonedFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/**
 * A button that saves the draft without validation and leaves; beside it, the time of the last save or that it failed.
 */
export function SaveDraft({ draft, form }: Props) {
  const { savedAt, hasFailed } = draft
  const { screens } = useContract()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const list = Object.values(screens).find((s) => s.kind === 'list' && s.source === 'drafts.list')
  const save = async () => {
    form?.current?.flush()
    setBusy(true)
    try {
      await draft.saveAndLeave()
      const keptUntil = relativeDay(`+${DRAFT_DAYS}d`, today())!
      notify({ kind: 'success', text: `Draft saved. It is kept until ${formatDate(keptUntil)}.` })
      navigate(list?.route ?? '/')
    } catch {
      // The HTTP interceptor has shown the error; the form stays open.
      setBusy(false)
    }
  }
  return (
    <>
      <Button variant="minimal" text="Save draft" loading={isBusy} onClick={() => void save()} />
      {savedAt && !hasFailed && <span className="draft-saved">Saved {clock(savedAt)}</span>}
      <span className="draft-unsaved" role="status">
        {hasFailed && 'Not saved yet'}
      </span>
    </>
  )
}
