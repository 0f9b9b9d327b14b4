import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { FormScreen } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { isPlainObject } from '../../contract/when.ts'
import { readKey, useWaitingSend } from '../core/calls.ts'
import { fieldErrors } from '../core/fieldErrors.ts'
import { linkTo } from '../core/link.ts'
import { notify } from '../core/notices.ts'
import { notifyUnhandled } from '../core/notifyUnhandled.ts'
import type { Choice } from './ConflictPanel.tsx'
import { useEffectsQuestion } from './EffectsQuestion.tsx'
import { type Conflict, conflictOf } from './store/conflict.ts'
import { documentOf } from './store/documentOf.ts'
import type { FormHandle } from './store/formStore.ts'
import type { KeptAnswer } from './store/keptAnswers.ts'
import { mergeAt, placesOf } from './store/mergeAt.ts'
import { getAt, setAt } from './store/paths.ts'
import { countedText, savedFieldsText } from './store/savedText.ts'
import type { FormSection } from './store/sections.ts'
import { isOlder, useBase } from './useBase.ts'

interface SavingOptions {
  screen: FormScreen
  form: RefObject<FormHandle | null>
  /** As last fetched. */
  record: Values
  initial: Values
  params: Values
  sections: FormSection[]
  /** Versions of the metas in the form, as a save sends them. */
  metaVersions: Values
  /** Called after a save, also if there was nothing to send. */
  onSaved?: () => void
}

/** Saves the changed fields of a record, and rebases the form when somebody else saved meanwhile. */
export function useSave(options: SavingOptions) {
  const { screen, form, params, sections, metaVersions } = options
  const notifySaved = useRef(options.onSaved)
  notifySaved.current = options.onSaved
  const compared = useBase(options)
  const { base, version, changes, changesInDocument } = compared
  // Unsaved changes belong to these versions of the metas, also after newer ones are published.
  const baseMetaVersions = useRef(metaVersions)
  const afterSave = useAfterSave(options)
  const [conflict, setConflict] = useState<Conflict>()
  const sentFields = useRef<Values>({})
  const send = useWaitingSend<unknown>(screen.save ?? '', (reply) => {
    const counted = countedText(sections, base.current, isPlainObject(reply) ? reply : {})
    notify({ kind: 'success', text: [savedFieldsText(sections, sentFields.current), ...counted].join('. ') })
  })
  const question = useEffectsQuestion()
  const isBusy = useRef(false)

  const onError = (error: unknown) => {
    const conflict = conflictOf(error)
    const errors = fieldErrors(error)
    if (conflict) setConflict(conflict)
    if (errors) form.current?.showErrors(errors)
    if (!conflict && !errors) notifyUnhandled(error)
  }
  const onSaved = (reply: Values, sent: Values) => {
    base.current = mergeAt(base.current, sent, placesOf(sections))
    baseMetaVersions.current = metaVersions
    notifyOfRefused(form.current?.keptAnswers() ?? [], sent, reply)
    version.current = reply.version
    // A newer record may have been read before this reply, which the form is then rebased onto.
    compared.rebaseOnto(reply)
    setConflict(undefined)
    afterSave.updateCache(reply)
    notifySaved.current?.()
    afterSave.goOn(reply)
  }
  const call = async (body: Values, sent: Values) => {
    isBusy.current = true
    sentFields.current = sent
    try {
      if (!(await question.ask(body))) return
      const reply = await send.mutateAsync({ params, body })
      onSaved(isPlainObject(reply) ? reply : {}, sent)
    } catch (error) {
      onError(error)
    } finally {
      isBusy.current = false
    }
  }
  const sendChanges = (unchangedText = 'There is nothing new to save') => {
    const sent = changes()
    if (Object.keys(sent).length === 0) {
      notifySaved.current?.()
      return notify({ kind: 'success', text: unchangedText })
    }
    const versionSent = version.current === undefined ? {} : { version: version.current }
    return call({ ...sent, ...versionSent, ...baseMetaVersions.current }, sent)
  }
  const save = () => {
    const handle = form.current
    if (!handle || isBusy.current) return
    // A conflict must be resolved first; a new object moves the focus to its panel again.
    if (conflict) return setConflict({ ...conflict })
    if (Object.keys(handle.submit(base.current)).length > 0) return
    void sendChanges()
  }
  const resolveConflict = (choices: Record<string, Choice>) => {
    if (!conflict || !form.current) return
    // Others may have changed what was typed since, too, which the save would overwrite.
    const more = takeChoices(compared, form.current, conflict, choices)
    setConflict(more)
    if (!more) void sendChanges('Their change is kept')
  }
  /** Dismisses the conflict and rebases onto the newest record, after our changes were reset. */
  const abandonConflict = () => {
    setConflict(undefined)
    compared.rebaseOnto(conflict?.current ?? options.record)
  }
  return {
    save,
    resolveConflict,
    abandonConflict,
    conflict,
    changes,
    /** The record that the form is compared with. */
    base,
    isBusy: send.isPending || question.isAsking,
    waiting: send.waiting,
    /** True if there are unsaved changes, debounced text included. */
    isDirty: () => Object.keys(changes()).length > 0,
    /** The same, without flushing debounced text. */
    isDocumentDirty: () => Object.keys(changesInDocument()).length > 0,
  }
}

/** What a save changes outside of its form: the query cache and the page. */
function useAfterSave({ screen, params }: SavingOptions) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return {
    /** Updates the record now, so that leaving and coming back does not show old values while the refetch runs. */
    updateCache(reply: Values) {
      if (screen.read && reply.version !== undefined)
        client.setQueryData<Values>(readKey(screen.read, { params }), (before) =>
          before && isOlder(reply, before) ? before : { ...before, ...reply },
        )
    },
    goOn(reply: Values) {
      void refetchRelated(client, screen)
      const to = screen.then && linkTo(screen.then, { ...params, ...reply })
      if (to) navigate(to)
    },
  }
}

/** Takes what the person chose for each field in conflict, and rebases the form; returns the conflicts that remain. */
function takeChoices(
  { base, rebaseOnto }: ReturnType<typeof useBase>,
  form: FormHandle,
  { current }: Conflict,
  choices: Record<string, Choice>,
): Conflict | undefined {
  for (const [path, choice] of Object.entries(choices)) {
    const theirs = getAt(documentOf(current), path)
    base.current = setAt(base.current, path, theirs)
    if (choice === 'theirs') form.merge(setAt({}, path, theirs ?? null))
  }
  return rebaseOnto(current)
}

/** Notifies the person of each invalid answer to a removed field, which the server did not save. */
function notifyOfRefused(kept: KeptAnswer[], sent: Values, reply: Values): void {
  for (const { path, field, value } of kept) {
    if (getAt(sent, path) === undefined || getAt(documentOf(reply), path) !== undefined) continue
    const typed = typeof value === 'object' ? 'your answer' : `“${value}”`
    notify({
      kind: 'warning',
      text: `“${field.label}” is no longer asked, and ${typed} is not one of its choices, so it was not saved`,
    })
  }
}

/** Refetches the screen's `with` reads, because the case type may have been published while the form was open. */
function refetchRelated(client: QueryClient, screen: FormScreen): Promise<void> {
  const names = Object.values(screen.with ?? {}).map(({ read }) => read)
  return client.invalidateQueries({
    predicate: ({ queryKey: [kind, name] }) => kind === 'call' && names.includes(name as string),
  })
}
