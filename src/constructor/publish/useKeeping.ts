import type { AxiosError } from 'axios'
import { useEffect, useRef, useState } from 'react'
import { isEqual } from '../../contract/settle.ts'
import { useSend } from '../../engine/calls.ts'
import { type Draft, draftOf, isKept, type Kept } from '../caseType.ts'
import { type Found, refusalsOf } from '../found.ts'
import { type Clash, clashOf } from './clash.ts'
import { shapeWords } from './shapeWords.ts'

/** After the last change, and after a failure, in ms. */
const PAUSE = 600
const AGAIN = 5000

interface Given {
  id: number
  /** The published version that the draft changes. */
  basedOn: number
  draft: Draft
  /** Nothing is kept of a draft that says what is published. */
  isDirty: boolean
  loaded: Kept
  /** A clash waits for an answer. */
  isPaused: boolean
  onClash: (clash: Clash) => void
}
/** What speaks against keeping: where the server refused it, and in words where it could not be reached. */
interface Failure {
  found: Found[]
  why: string
}

/** Keeps the draft on the server a moment after each change, so that a closed browser and other administrators have it. */
export function useKeeping(given: Given) {
  const { id, basedOn, draft, isDirty, loaded, isPaused, onClash } = given
  const keep = useSend<{ rev: number }>('caseTypes.keepDraft')
  const drop = useSend<void>('caseTypes.dropDraft')
  const [kept, setKept] = useState<Kept>(loaded)
  const [state, setState] = useState<'idle' | 'busy' | 'failed' | 'refused'>('idle')
  const [failure, setFailure] = useState<Failure>()
  const wanted = isDirty ? draftOf(draft) : undefined
  const isSafe = wanted ? isKept(kept) && isEqual(draftOf(kept), wanted) : !isKept(kept)

  // What is under way, and the revision that it leaves: publishing waits for it.
  const flying = useRef<Promise<void>>(undefined)
  const rev = useRef(kept.rev)
  const hold = (next: Kept) => {
    rev.current = next.rev
    setKept(next)
  }

  const send = async () => {
    setState('busy')
    try {
      if (wanted) {
        const body = { rev: kept.rev, base_version: basedOn, ...wanted }
        const reply = await keep.mutateAsync({ params: { id }, body })
        const at = new Date().toISOString()
        hold({ ...wanted, rev: reply.rev, version: reply.rev, base_version: basedOn, at })
      } else {
        await drop.mutateAsync({ params: { id } })
        hold({ rev: 0, version: kept.version })
      }
      setState('idle')
    } catch (error) {
      const failed = error as AxiosError<Record<string, unknown>>
      const clash = clashOf(failed, false)
      const isRefused = failed.response?.status === 400
      if (clash) onClash(clash)
      const found = isRefused && wanted ? refusalsOf(wanted, failed.response?.data) : []
      setFailure({ found, why: found[0] ? placedWords(wanted, failed.response?.data) : whyOf(failed) })
      setState(clash ? 'idle' : isRefused ? 'refused' : 'failed')
    }
  }
  const now = useRef(send)
  now.current = send
  // What was refused is not sent again before it is another.
  useEffect(() => setState((before) => (before === 'refused' ? 'idle' : before)), [draft])
  useEffect(() => {
    if (isSafe || isPaused || state === 'busy' || state === 'refused') return
    const begin = () => {
      flying.current = now.current()
    }
    const timer = setTimeout(begin, state === 'failed' ? AGAIN : PAUSE)
    return () => clearTimeout(timer)
  }, [isSafe, isPaused, state, draft])
  return {
    kept,
    isSafe,
    isBusy: state === 'busy',
    failure: state === 'failed' || state === 'refused' ? failure : undefined,
    isRefused: state === 'refused',
    /** The revision of what is kept, once nothing is under way. */
    settled: async () => {
      await flying.current
      return rev.current
    },
    /** What is kept is this now, by whoever. */
    take: (other: Kept) => {
      hold({ ...other, version: other.version ?? Math.max(other.rev, kept.version ?? 0) })
      setState('idle')
    },
  }
}

function whyOf({ response }: AxiosError): string {
  return response ? 'The server answered with an error' : 'The server cannot be reached'
}

/** The first of the field errors with its place in words. */
function placedWords(draft: Draft | undefined, errors: Record<string, unknown> = {}): string {
  const [key, messages] = Object.entries(errors).find(([, one]) => Array.isArray(one)) ?? ['', []]
  const path = key.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
  return shapeWords(draft, path, String((messages as unknown[])[0]))
}
