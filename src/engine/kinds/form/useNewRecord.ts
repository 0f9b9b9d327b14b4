import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Contract } from '../../../contract/contract.ts'
import type { FormScreen } from '../../../contract/generated.ts'
import type { Draft } from '../../../contract/types/entities.ts'
import { type ConditionContext, isPlainObject, isSet, type Values } from '../../../contract/when.ts'
import { useContract } from '../../core/contract.ts'
import { entityOf } from '../../core/entityOf.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'
import { notify } from '../../core/notices.ts'
import type { DraftRef } from '../../form/drafts/autosave.ts'
import { useDraft } from '../../form/drafts/useDraft.ts'
import type { FormHandle } from '../../form/store/formStore.ts'
import { initialValuesOf, withParentFields } from '../../form/store/initialValues.ts'
import { mergeAt, placesOf } from '../../form/store/mergeAt.ts'
import { requestedVersions } from '../../form/store/requestedVersions.ts'
import { savedText } from '../../form/store/savedText.ts'
import { defaultsFor, resolveSections } from '../../form/store/sections.ts'
import { useCreate } from './useCreate.ts'

const MAX_TITLE_LENGTH = 200

/** Initial state of a new record: empty, a saved draft, or a document that could not be saved before. */
export interface Start {
  document?: Values
  draft?: DraftRef
  unsaved?: Values
  /** Versions of the metas when the draft was begun. */
  metaVersions?: Values
}

/** A draft of a new record as stored on the server. */
export type StoredDraft = Pick<Draft, 'id' | 'version'> & {
  payload: { document?: Values; asked?: Values }
}

/** The initial state from a stored draft. */
export function startOf({ id, version, payload }: StoredDraft, unsaved: Values | undefined): Start {
  const document = isPlainObject(payload?.document) ? payload.document : {}
  return { document, draft: { id, version }, unsaved, metaVersions: payload?.asked }
}

interface NewRecordOptions {
  screen: FormScreen
  start: Start
  conditionContext: ConditionContext
  params: Values
  /** Initial values in addition to those of the screen. */
  initialValues?: Values
  /** URL of the page that opens its draft. */
  address: string
  /** Called with the draft's id when it is first stored. */
  onDraft: (id: number) => void
}

/** State of a new record: its initial document, its draft and the call that saves it. */
export function useNewRecord({
  screen,
  start,
  conditionContext,
  params,
  initialValues,
  address,
  onDraft,
}: NewRecordOptions) {
  const contract = useContract()
  const form = useRef<FormHandle>(null)
  const [{ values, fixed }] = useState(() => initialValuesOf(contract, screen, conditionContext))
  const sections = useMemo(() => {
    const entity = entityOf(contract, screen.save!).$id
    return withParentFields(
      contract,
      resolveSections(contract, screen.groups, entity, conditionContext, 'create'),
      fixed,
    )
  }, [contract, screen, conditionContext.with, conditionContext.user, fixed])
  const [initial] = useState(
    () =>
      start.unsaved ??
      start.document ??
      mergeAt(defaultsFor(sections), { ...values, ...initialValues }, placesOf(sections)),
  )
  const latest = useRef(initial)
  const now = requestedVersions(screen.groups, screen.with, conditionContext.with)
  const [first] = useState(start.metaVersions ?? now)
  const draft = useDraft({
    kind: screen.draft,
    address,
    known: start.draft,
    onCreate: onDraft,
    content: () => {
      const document = latest.current
      const title = draftTitle(contract, screen, { ...document, ...fixed }, params)
      return { title, payload: { document, asked: first } }
    },
  })
  // A layout effect, because debounced text must be flushed before the widgets unmount.
  useLayoutEffect(() => () => form.current?.flush(), [])

  const { save, validBody, refuse, isBusy, waiting } = useCreate({
    screen,
    form,
    sections,
    conditionContext,
    params,
    fixed,
    metaVersions: { first, now },
    draft: draft.autosave,
  })
  return {
    form,
    draft,
    isBusy,
    waiting,
    validBody,
    refuse,
    /** True if what was typed is only in the memory of this page. */
    isOnlyHere: () =>
      draft.isDirty() && (!screen.draft || !draft.autosave.isSaved() || waiting !== undefined),
    /** Props of the form's view. */
    view: {
      ref: form,
      sections,
      initial,
      conditionContext,
      onChange: (document: Values, _: string, isDefault: boolean) => {
        latest.current = document
        // A default that the form set does not count as a change.
        if (draft.isDirty() || !isDefault) draft.markChanged()
      },
    },
    /** Saves the record and notifies the person; returns the reply, or undefined after showing the errors. */
    finish: async () => {
      const reply = await save()
      if (!reply) return undefined
      await draft.finish()
      notify({ kind: 'success', text: savedText(contract, screen.save!, screen.done, reply) })
      return reply
    },
  }
}

/** Title of a draft: that of the form, and the parent record ('New Action – Issue 12'). */
function draftTitle(contract: Contract, screen: FormScreen, document: Values, params: Values): string {
  const parent = screen.parent?.at(-1)
  const { properties } = entityOf(contract, screen.save!)
  const refs = Object.entries(properties).filter(([name, { ref }]) => ref && isSet(document[name]))
  const refTitles = refs.map(([name, { title }]) => `${title} ${document[name]}`)
  const names = [screen.title, ...(parent ? [parent.label] : [])].map((text) => fillTemplate(text, params))
  return [...names, ...refTitles].join(' – ').slice(0, MAX_TITLE_LENGTH)
}
