import { useEffect, useState } from 'react'
import { type CaseTypeUsage, UNCOUNTED } from './caseType.ts'
import type { DraftConflict } from './draftConflict.ts'

interface PublishDialogOptions {
  isValid: boolean
  /** True if there is something to publish. */
  isNew: boolean
  usage: CaseTypeUsage
  /** Retries the usage request after it failed; undefined otherwise. */
  recount?: () => void
  announce: (words: string) => void
}

/** The publish dialog, and the list of errors that *Publish* opens instead. */
export function usePublishDialog({ isValid, isNew, usage, recount, announce }: PublishDialogOptions) {
  const [isOpen, setOpen] = useState(false)
  const [firing, setFiring] = useState<string[]>([])
  const [isErrorListOpen, setErrorListOpen] = useState(false)
  const [attempts, setAttempts] = useState(0)
  useEffect(() => {
    if (isValid) setErrorListOpen(false)
  }, [isValid])
  /**
   * Opens the publish dialog, or lists the errors that prevent publishing. `names` are the automations whose checkboxes
   * are ticked at first.
   */
  const ask = (conflict: DraftConflict | undefined, names: string[]) => {
    if (conflict) return announce('First choose between yours and theirs')
    if (usage === UNCOUNTED)
      return announce(recount ? 'Who uses it could not be counted' : 'Who uses it is still being counted')
    setAttempts((n) => n + 1)
    setErrorListOpen(!isValid)
    if (!isValid) return
    if (!isNew) return announce('There is nothing to publish')
    setFiring(names)
    setOpen(true)
  }
  return { isOpen, firing, isErrorListOpen, attempts, ask, close: () => setOpen(false) }
}
