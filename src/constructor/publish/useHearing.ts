import { useEffect, useRef } from 'react'
import { momentText } from '../../engine/cells/dates.ts'
import { dayOf, zonedFormat } from '../../engine/timeZone.ts'
import { type CaseType, isKept, type Kept } from '../caseType.ts'
import type { Clash } from './clash.ts'

interface Given {
  /** As they were read last; undefined while they are read anew. */
  latest: { type: CaseType; draft: Kept } | undefined
  /** What is published as far as it is known here. */
  version: number
  kept: Kept
  /** Nothing of mine waits to be kept or to be decided. */
  isSafe: boolean
  /** Something of mine is on its way, or about to be published. */
  isPaused: boolean
  onTake: (type: CaseType, draft: Kept) => void
  onClash: (clash: Clash) => void
}

/** Takes in what others published or kept while this was open; where something of mine would be lost, that is a clash. */
export function useHearing({ latest, version, kept, isSafe, isPaused, onTake, onClash }: Given): void {
  const heard = useRef('')
  useEffect(() => {
    if (!latest || isPaused) return
    const { type, draft } = latest
    const isPublished = type.version > version
    const isChanged = draft.rev !== kept.rev && (draft.version ?? 0) > (kept.version ?? 0)
    const what = `${type.version} ${draft.version}`
    if ((!isPublished && !isChanged) || heard.current === what) return
    heard.current = what
    const { by, at } = draft
    if (isSafe) onTake(type, draft)
    else if (isPublished) onClash({ about: 'published', theirs: type, draft, by, at, wasAsked: false })
    else onClash({ about: 'draft', theirs: draft, by, at, wasAsked: false })
  })
}

/** "Changed by Ann Lee at 10:42": the line that tells what was taken in. */
export function heardWords(version: number, type: CaseType, draft: Kept, now = new Date()): string {
  const by = draft.by ? ` by ${draft.by}` : ''
  const at = draft.at ? whenText(draft.at, now) : ''
  if (type.version > version && !isKept(draft)) return `Version ${type.version} was published${by}${at}.`
  return isKept(draft) ? `Changed${by}${at}.` : `The draft was discarded${by}${at}.`
}

const clock = zonedFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** The time alone where it was today. */
function whenText(at: string, now: Date): string {
  const then = new Date(at)
  return dayOf(then) === dayOf(now) ? ` at ${clock(then)}` : ` on ${momentText(at)}`
}
