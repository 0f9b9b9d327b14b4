import { Button } from '@blueprintjs/core'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import type { FormScreen } from '../../../contract/generated.ts'
import type { ConditionContext, Values } from '../../../contract/when.ts'
import { useContract } from '../../core/contract.ts'
import { entityOf } from '../../core/entityOf.ts'
import { useLabels } from '../../core/labels.ts'
import { linkTo } from '../../core/link.ts'
import { loadable } from '../../core/loadable.tsx'
import { useSaveShortcut } from '../../core/useSaveShortcut.ts'
import { WaitingNote } from '../../core/WaitingNote.tsx'
import { SaveDraft } from '../../form/drafts/SaveDraft.tsx'
import { UnsavedGuard } from '../../form/drafts/UnsavedGuard.tsx'
import { FormView } from '../../form/FormView.tsx'
import { firstControl } from '../../form/firstControl.ts'
import { MetaChangedNotice } from './MetaChangedNotice.tsx'
import { type Start, useNewRecord } from './useNewRecord.ts'

const Preview = loadable(() => import('./Preview.tsx'))

interface Props {
  screen: FormScreen
  start: Start
  conditionContext: ConditionContext
  params: Values
  /** The form follows a record that was just saved. */
  isNext: boolean
  onAgain: () => void
}

/** The form of a new record, autosaved as a draft if the screen says so. */
export function NewForm({ screen, start, conditionContext, params, isNext, onAgain }: Props) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [search, setSearch] = useSearchParams()
  const box = useRef<HTMLDivElement>(null)
  const { form, draft, isBusy, waiting, isOnlyHere, validBody, refuse, view, finish } = useNewRecord({
    screen,
    start,
    conditionContext,
    params,
    address: addressOf(pathname, search),
    onDraft: (id) => setSearch((now) => new URLSearchParams([...now, ['draft', String(id)]]), REPLACE),
  })
  const toOf = (document: Values) => screen.saveText?.to && document[screen.saveText.to]
  const [to, setTo] = useState(() => toOf(view.initial))
  useEffect(() => {
    if (start.unsaved) draft.markChanged()
    if (isNext) firstControl(box.current)?.focus()
    // Runs once, on mount.
  }, [])

  const save = async (isAgain: boolean) => {
    const reply = await finish()
    if (!reply) return
    if (isAgain) return onAgain()
    const next = screen.then && linkTo(screen.then, { ...params, ...reply })
    // Replaces the history entry, because its draft no longer exists.
    if (next) navigate(next, REPLACE)
  }
  useSaveShortcut(() => void save(false))
  return (
    <div ref={box}>
      <FormView
        {...view}
        folds={screen.route}
        onChange={(document, ...rest) => {
          view.onChange(document, ...rest)
          setTo(toOf(document))
        }}
      />
      <div className="form-bar">
        <MetaChangedNotice groups={screen.groups} values={conditionContext.with ?? {}} form={form} />
        <Button
          intent="primary"
          text={<SaveWords screen={screen} to={to} />}
          loading={isBusy}
          aria-busy={isBusy}
          onClick={() => void save(false)}
        />
        {screen.preview && <Preview {...{ preview: screen.preview, validBody, refuse, params }} />}
        {screen.again && (
          <Button text="Save and add another" disabled={isBusy} onClick={() => void save(true)} />
        )}
        {screen.draft && <SaveDraft draft={draft} form={form} />}
        <WaitingNote save={waiting} />
      </div>
      <UnsavedGuard
        when={() => {
          form.current?.flush()
          return draft.isDirty()
        }}
        closing={isOnlyHere}
        onLeave={draft.leave}
        onKeep={screen.draft ? draft.saveAndLeave : undefined}
      />
    </div>
  )
}

/** The words of the save button, with the name of what was chosen: 'Send to North hub'. */
function SaveWords({ screen: { save, saveText }, to }: { screen: FormScreen; to: unknown }) {
  const contract = useContract()
  const property = saveText?.to ? entityOf(contract, save!).properties[saveText.to] : undefined
  const [label] = useLabels(property ?? NOTHING, to)
  const text = saveText?.text ?? 'Save'
  return label ? `${text} to ${label}` : text
}

const NOTHING = { title: '' }
const REPLACE = { replace: true }

/** The page's URL without the draft. */
export function addressOf(pathname: string, search: URLSearchParams): string {
  const others = new URLSearchParams([...search].filter(([name]) => name !== 'draft'))
  return others.size > 0 ? `${pathname}?${others}` : pathname
}
