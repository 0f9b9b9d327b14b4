import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { FormScreen } from '../../contract/types.ts'
import type { Values } from '../../contract/when.ts'
import { readKey, useSend } from '../calls.ts'
import { fieldErrors } from '../fieldErrors.ts'
import { notify } from '../notices.ts'
import { tellUntold } from '../untold.ts'
import type { Choice } from './ConflictPanel.tsx'
import { changesOf } from './changes.ts'
import { type Conflict, conflictOf } from './conflict.ts'
import type { KeptAnswer } from './keptAnswers.ts'
import { isGroup, layOver, placesOf } from './layOver.ts'
import { getAt, setAt } from './paths.ts'
import type { FormSection } from './sections.ts'
import type { FormHandle } from './store.ts'
import { takeIn } from './takeIn.ts'

interface Saved {
  screen: FormScreen
  form: RefObject<FormHandle | null>
  /** As read last. */
  record: Values
  initial: Values
  params: Values
  sections: FormSection[]
  /** The versions of the metas that the form shows now, as a save says them. */
  asked: Values
}

/** Saves what a form changed of its record, and takes in what others change meanwhile without losing what is typed. */
export function useSaving(given: Saved) {
  const { screen, form, record, initial, params, sections, asked } = given
  const send = useSend<unknown>(screen.save ?? '')
  const client = useQueryClient()
  const [conflict, setConflict] = useState<Conflict>()
  // What the form is compared with, and which version of the record the person's changes are based on.
  const base = useRef(initial)
  const version = useRef(record.version)
  // What is typed is for the questions of these versions, also after others are published.
  const askedBy = useRef(asked)
  const isBusy = useRef(false)
  const places = placesOf(sections)

  const differences = () => changesOf(base.current, form.current?.document() ?? base.current, places)
  const changes = () => {
    form.current?.flush()
    return differences()
  }
  const take = (newer: Values) => {
    if (!form.current || Number(newer.version) < Number(version.current)) return []
    form.current.flush()
    const taken = takeIn(base.current, form.current.document(), newer, places)
    base.current = taken.base
    // With a clash the old version stays, so that the server finds it too and tells who and when.
    if (taken.clashes.length === 0) version.current = newer.version
    form.current.merge(taken.merge)
    return taken.clashes
  }
  const taking = useRef(take)
  taking.current = take
  const first = useRef(record)
  useEffect(() => {
    if (record !== first.current) taking.current(record)
  }, [record])

  const failed = (error: unknown) => {
    const clash = conflictOf(error)
    const errors = fieldErrors(error)
    if (clash) setConflict(clash)
    if (errors) form.current?.showErrors(errors)
    if (!clash && !errors) tellUntold(error)
  }
  const finish = (reply: Values, sent: Values) => {
    base.current = layOver(base.current, sent, places)
    askedBy.current = asked
    notifyOfRefused(form.current?.keptAnswers() ?? [], sent, reply)
    version.current = reply.version
    take(reply)
    // Who leaves and comes back at once must not see the old values while the new ones are on their way.
    if (screen.read && reply.version !== undefined)
      client.setQueryData<Values>(readKey(screen.read, { params }), (before) => ({ ...before, ...reply }))
    setConflict(undefined)
    notify({ kind: 'success', text: 'Saved' })
    void readAnew(client, screen)
  }
  const call = async (body: Values, sent: Values) => {
    if (isBusy.current) return
    isBusy.current = true
    try {
      const reply = await send.mutateAsync({ params, body })
      finish(isGroup(reply) ? reply : {}, sent)
    } catch (error) {
      failed(error)
    } finally {
      isBusy.current = false
    }
  }
  const change = (nothing = 'There is nothing new to save') => {
    const sent = changes()
    if (Object.keys(sent).length === 0) return notify({ kind: 'success', text: nothing })
    const known = version.current === undefined ? {} : { version: version.current }
    return call({ ...sent, ...known, ...askedBy.current }, sent)
  }
  const save = () => {
    const handle = form.current
    if (!handle || isBusy.current) return
    // First there is something to choose; a new object leads there once more.
    if (conflict) return setConflict({ ...conflict })
    if (Object.keys(handle.submit(base.current)).length > 0) return
    void change()
  }
  const settle = (choices: Record<string, Choice>) => {
    if (!conflict || !form.current) return
    take(conflict.current)
    for (const [path, choice] of Object.entries(choices)) {
      const theirs = getAt(conflict.current, path)
      base.current = setAt(base.current, path, theirs)
      if (choice === 'theirs') form.current.merge(setAt({}, path, theirs ?? null))
    }
    version.current = conflict.current.version
    setConflict(undefined)
    void change('Theirs is kept')
  }
  return {
    save,
    settle,
    conflict,
    changes,
    isBusy: send.isPending,
    /** Whether anything is unsaved, text still held in boxes included. */
    isTouched: () => Object.keys(changes()).length > 0,
    /** The same of what the document holds by now. */
    isDifferent: () => Object.keys(differences()).length > 0,
  }
}

/** Tells the person what was typed into a field that is no longer asked and was not kept, because it is wrong. */
function notifyOfRefused(kept: KeptAnswer[], sent: Values, reply: Values): void {
  for (const { path, field, value } of kept) {
    if (getAt(sent, path) === undefined || getAt(reply, path) !== undefined) continue
    const typed = typeof value === 'object' ? 'what you gave' : `“${value}”`
    notify({
      kind: 'warning',
      text: `“${field.label}” is no longer asked, and ${typed} is not a right answer to it: it was not saved`,
    })
  }
}

/** What the form is drawn by may have been published anew while it was open: a save is the time to see. */
function readAnew(client: QueryClient, screen: FormScreen): Promise<void> {
  const names = Object.values(screen.with ?? {}).map(({ read }) => read)
  return client.invalidateQueries({
    predicate: ({ queryKey: [kind, name] }) => kind === 'call' && names.includes(name as string),
  })
}
