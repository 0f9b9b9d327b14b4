import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { FieldErrors } from '../../contract/judge.ts'
import type { Step, WizardScreen } from '../../contract/types.ts'
import { isSet, type Scope, type Values } from '../../contract/when.ts'
import { refresh, useRead } from '../calls.ts'
import { useContract } from '../contract.ts'
import { judgeForm } from '../form/judgeForm.ts'
import { getAt, setAt } from '../form/paths.ts'
import { useWith } from '../form/useWith.ts'
import { requestKey } from '../requestKey.ts'
import { useUser } from '../user.ts'
import { type DraftRef, keepDraft } from './keepDraft.ts'
import { type MetaFacts, type MetaNews, metaFacts, newsOf } from './metas.ts'
import { begin } from './progress.ts'
import { stepSections } from './steps.ts'
import { titleOf } from './titleOf.ts'
import { holdUnsaved } from './unsaved.ts'

/** Where a wizard begins: anew, or from a draft. */
export interface Start {
  document: Values
  completed: string[]
  metas: Record<string, MetaFacts>
  draft?: DraftRef
  /** A newer document than the kept one. */
  unsaved?: Values
}

/** What a wizard knows: its document, which steps are done, where it is kept. Drawing and walking are others' work. */
export function useWizard(screen: WizardScreen, start: Start, here: string, onDraft: (id: number) => void) {
  const contract = useContract()
  const queries = useQueryClient()
  const user = useUser()
  const [document, setDocument] = useState(start.unsaved ?? start.document)
  const [completed, setCompleted] = useState(start.completed)
  const [isTouched, setTouched] = useState(false)
  const now = useRef({ document, completed, metas: start.metas, here, isTouched: false, isOver: false })
  now.current.here = here
  const told = useRef(onDraft)
  told.current = onDraft
  const [key] = useState(requestKey)
  const [draft] = useState(() =>
    keepDraft(contract, screen.draft ?? '', start.draft, (id) => told.current(id)),
  )

  const known = screen.steps.find((s) => s.existing)
  const chosen = getAt(document, known?.at ?? '')
  const read = typeof chosen === 'number' ? known?.existing?.read : undefined
  const record = useRead<Values>(read, { params: { id: chosen } }).data
  const form = useMemo(
    () => (read && record ? setAt(document, known?.at ?? '', record) : document),
    [read, record, document, known],
  )
  const withs = useWith(screen.with, { form, user })
  const scope = useMemo<Scope>(() => ({ with: withs.values, user }), [withs.values, user])

  const keep = () => {
    if (!screen.draft || now.current.isOver) return
    const { document, completed, metas, here } = now.current
    const title = titleOf(contract, screen, document, record) || screen.title
    draft.put({ title, payload: { document, step: here, completed, metas } })
  }
  const touch = (is: boolean) => {
    now.current.isTouched = is
    setTouched(is)
  }
  const put = (next: Values) => {
    now.current.document = next
    setDocument(next)
    touch(true)
    keep()
  }
  /** Lays what a new record begins with; nobody typed it. */
  const seed = (next: Values) => {
    now.current.document = next
    setDocument(next)
  }
  const complete = (ids: string[]) => {
    now.current.completed = ids
    setCompleted(ids)
    keep()
  }

  useEffect(() => {
    if (start.unsaved) put(start.unsaved)
    // Once, where it is opened.
  }, [])

  // Another step is where the draft is left, too.
  const keeping = useRef(keep)
  keeping.current = keep
  useEffect(() => {
    if (here && now.current.isTouched) keeping.current()
  }, [here])

  const [news, setNews] = useState<MetaNews>()
  useEffect(() => {
    if (!withs.isReady) return
    const facts = metaFacts(contract, screen, scope)
    const found = newsOf(now.current.metas, facts, now.current.document)
    if (found) setNews(found)
    now.current.metas = { ...now.current.metas, ...facts }
  }, [contract, screen, scope, withs.isReady])

  const over = async (end: () => Promise<void> | void) => {
    now.current.isOver = true
    touch(false)
    await end()
    if (screen.draft) await refresh(contract, queries, 'drafts.update')
  }
  const discard = () => over(draft.remove)
  const discarding = useRef(discard)
  discarding.current = discard
  useEffect(() => (isTouched ? begin({ discard: () => discarding.current() }) : undefined), [isTouched])
  useEffect(() => {
    const flush = () => {
      if (now.current.isOver) return
      const left = () => holdUnsaved({ user: user.id, draft: draft.id(), document: now.current.document })
      draft.flush().catch(left)
    }
    window.addEventListener('pagehide', flush)
    // Leaving without having been asked, as when the session ends, keeps what was typed.
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [draft, user.id])

  const sectionsOf = (step: Step) => stepSections(contract, step, scope)
  const errorsOf = (step: Step): FieldErrors => {
    const at = step.at ?? ''
    const value = getAt(now.current.document, at)
    if (step.existing && typeof value === 'number') return {}
    if (step.existing && !isSet(value))
      return { [at]: [`Enter a new ${step.existing.label} or choose one that is there`] }
    return judgeForm(sectionsOf(step), now.current.document, scope)
  }
  return {
    document,
    latest: () => now.current.document,
    put,
    seed,
    completed,
    complete,
    record: read ? record : undefined,
    scope,
    withs,
    draft,
    /** Of the one call at the end: however often it is made, it counts once. */
    key,
    news,
    settleNews: () => setNews(undefined),
    sectionsOf,
    errorsOf,
    /** Whether leaving would lose what was done here. */
    isHolding: () => now.current.isTouched,
    discard,
    /** Everything is where it belongs: nothing is asked, kept or given up any more. */
    finish: () => over(draft.stop),
    /** Saves the draft now and lets the person go. */
    saveAndLeave: async () => {
      keep()
      await draft.flush()
      await over(draft.stop)
    },
  }
}

export type Wizard = ReturnType<typeof useWizard>
