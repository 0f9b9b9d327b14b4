import { Button } from '@blueprintjs/core'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import type { Contract } from '../../contract/contract.ts'
import type { FormScreen } from '../../contract/generated.ts'
import { type ConditionContext, isSet, type Values } from '../../contract/when.ts'
import type { DraftRef } from '../drafts/autosave.ts'
import { SaveDraft } from '../drafts/SaveDraft.tsx'
import { UnsavedGuard } from '../drafts/UnsavedGuard.tsx'
import { useDraft } from '../drafts/useDraft.ts'
import { useContract } from '../runtime/contract.ts'
import { entityOf } from '../runtime/entityOf.ts'
import { fillTemplate } from '../runtime/fillTemplate.ts'
import { linkTo } from '../runtime/link.ts'
import { notify } from '../runtime/notices.ts'
import { useSaveShortcut } from '../runtime/useSaveShortcut.ts'
import { FormView } from './FormView.tsx'
import { initialValuesOf, withParentFields } from './initialValues.ts'
import { MetaChangedNotice } from './MetaChangedNotice.tsx'
import { mergeAt, placesOf } from './mergeAt.ts'
import { requestedVersions } from './requestedVersions.ts'
import { defaultsFor, resolveSections } from './sections.ts'
import type { FormHandle } from './store.ts'
import { useCreate } from './useCreate.ts'

const MOST = 200

/** What a new record starts from: nothing, a saved draft, or a document that could not be saved before. */
export interface Start {
  document?: Values
  draft?: DraftRef
  unsaved?: Values
  /** The versions of the metas by which the draft was begun. */
  asked?: Values
}

interface Props {
  screen: FormScreen
  start: Start
  conditionContext: ConditionContext
  params: Values
  /** It follows one that was just saved. */
  isNext: boolean
  onAgain: () => void
}

/** The form of a new record, autosaved as a draft if the screen says so. */
export function NewForm({ screen, start, conditionContext, params, isNext, onAgain }: Props) {
  const contract = useContract()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [search, setSearch] = useSearchParams()
  const form = useRef<FormHandle>(null)
  const box = useRef<HTMLDivElement>(null)
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
    () => start.unsaved ?? start.document ?? mergeAt(defaultsFor(sections), values, placesOf(sections)),
  )
  const latest = useRef(initial)
  const now = requestedVersions(screen.groups, screen.with, conditionContext.with)
  const [first] = useState(start.asked ?? now)
  const draft = useDraft({
    kind: screen.draft,
    address: addressOf(pathname, search),
    known: start.draft,
    onCreate: (id) => setSearch((now) => new URLSearchParams([...now, ['draft', String(id)]]), REPLACE),
    content: () => {
      const document = latest.current
      const title = draftTitle(contract, screen, { ...document, ...fixed }, params)
      return { title, payload: { document, asked: first } }
    },
  })
  useEffect(() => {
    if (start.unsaved) draft.markChanged()
    if (isNext) box.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    // Once, where it is opened.
  }, [])
  // A layout effect, because debounced text must be flushed before the widgets unmount.
  useLayoutEffect(() => () => form.current?.flush(), [])

  const { save, isBusy } = useCreate({
    screen,
    form,
    sections,
    conditionContext,
    params,
    fixed,
    asked: { first, now },
    draft: draft.autosave,
  })
  const finish = async (isAgain: boolean) => {
    const reply = await save()
    if (!reply) return
    await draft.finish()
    notify({ kind: 'success', text: 'Saved' })
    if (isAgain) return onAgain()
    const to = screen.then && linkTo(screen.then, { ...params, ...reply })
    if (to) navigate(to)
  }
  useSaveShortcut(() => void finish(false))
  return (
    <div ref={box}>
      <FormView
        ref={form}
        sections={sections}
        initial={initial}
        conditionContext={conditionContext}
        onChange={(document) => {
          latest.current = document
          draft.markChanged()
        }}
      />
      <div className="form-bar">
        <MetaChangedNotice groups={screen.groups} values={conditionContext.with ?? {}} form={form} />
        <Button
          intent="primary"
          text="Save"
          loading={isBusy}
          aria-busy={isBusy}
          onClick={() => void finish(false)}
        />
        {screen.again && (
          <Button text="Save and add another" disabled={isBusy} onClick={() => void finish(true)} />
        )}
        {screen.draft && <SaveDraft onSave={draft.saveAndLeave} form={form} />}
      </div>
      <UnsavedGuard
        when={() => {
          form.current?.flush()
          return draft.isDirty()
        }}
        closing={() => draft.isDirty() && !(screen.draft && draft.autosave.isSaved())}
        onLeave={draft.discard}
      />
    </div>
  )
}

const REPLACE = { replace: true }

/** The page's address without the draft. */
export function addressOf(pathname: string, search: URLSearchParams): string {
  const others = new URLSearchParams([...search].filter(([name]) => name !== 'draft'))
  return others.size > 0 ? `${pathname}?${others}` : pathname
}

/** What to call an unfinished record of a form: its title, and what it belongs to ('New Action – Issue 12'). */
function draftTitle(contract: Contract, screen: FormScreen, document: Values, params: Values): string {
  const parent = screen.parent?.at(-1)
  const { properties } = entityOf(contract, screen.save!)
  const refs = Object.entries(properties).filter(([name, { ref }]) => ref && isSet(document[name]))
  const refTitles = refs.map(([name, { title }]) => `${title} ${document[name]}`)
  const names = [screen.title, ...(parent ? [parent.label] : [])].map((text) => fillTemplate(text, params))
  return [...names, ...refTitles].join(' – ').slice(0, MOST)
}
