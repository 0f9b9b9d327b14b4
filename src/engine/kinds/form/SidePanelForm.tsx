import { Button } from '@blueprintjs/core'
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useNavigate } from 'react-router-dom'
import type { FormScreen } from '../../../contract/generated.ts'
import type { Draft } from '../../../contract/types/entities.ts'
import { type ConditionContext, isSet, type Values } from '../../../contract/when.ts'
import { Skeleton } from '../../core/Busy.tsx'
import { useRead } from '../../core/calls.ts'
import { isReachable } from '../../core/connection.ts'
import { useContract } from '../../core/contract.ts'
import { ErrorCard } from '../../core/ErrorCard.tsx'
import { closeSidePanel, guardSidePanel, type SidePanelRequest } from '../../core/sidePanel.ts'
import { useDelayed } from '../../core/useDelayed.ts'
import { useUser } from '../../core/user.ts'
import { useWith } from '../../core/useWith.ts'
import { WaitingNote } from '../../core/WaitingNote.tsx'
import { Question, UNSAVED } from '../../form/drafts/UnsavedGuard.tsx'
import { takeUnsaved } from '../../form/drafts/unsavedDocument.ts'
import { EffectsQuestion } from '../../form/EffectsQuestion.tsx'
import { FormView } from '../../form/FormView.tsx'
import { firstControl } from '../../form/firstControl.ts'
import { type Start, type StoredDraft, startOf, useNewRecord } from './useNewRecord.ts'

interface Props extends SidePanelRequest {
  onClose: () => void
}

/** A form screen in the panel beside the page; it resumes a draft that was begun at the same address. */
export default function SidePanelForm({ screen: name, query, onClose, ...props }: Props) {
  const user = useUser()
  const { screens } = useContract()
  const screen = screens[name] as FormScreen
  const full = screens[screen.allFields ?? name]
  const address = addressWith(full.route, query)
  const box = useRef<HTMLDivElement>(null)
  const [round, setRound] = useState(0)
  const [initialValues, setInitialValues] = useState(props.initialValues)
  const withs = useWith(screen.with, { user, query })
  const conditionContext = useMemo<ConditionContext>(
    () => ({ with: withs.values, user, query }),
    [withs.values, user, query],
  )
  const [start, setStart] = useState<Start>()
  // Fetched once: a draft that is discarded here no longer exists.
  const draft = useDraftAt(start ? undefined : screen.draft, address)
  if (!start && draft.isReady && withs.isReady) {
    const unsaved = takeUnsaved(user.id, address, draft.stored?.id)
    setStart(draft.stored ? startOf(draft.stored, unsaved) : { unsaved })
  }
  const isLate = useDelayed(!start)
  const error = withs.error ?? draft.error
  // Wait one tick: the save refetched the defaults of the next record, and the query client notifies in a timer.
  const again = (isNext: boolean) =>
    setTimeout(() => {
      setStart({})
      setRound(round + 1)
      if (isNext) setInitialValues({})
    })
  return (
    <div className="side-panel" ref={box} role="dialog" aria-modal="true" aria-labelledby="side-panel-title">
      <div className="side-panel-head">
        <h2 id="side-panel-title">{screen.title}</h2>
        <Button variant="minimal" aria-label="Close" onClick={onClose}>
          Close{' '}
          <span className="side-panel-key" aria-hidden="true">
            Esc
          </span>
        </Button>
      </div>
      {screen.about && <p>{screen.about}</p>}
      {error ? <ErrorCard error={error} /> : null}
      {!start && isLate && <Skeleton lines={8} />}
      {start && (
        <EffectsQuestion effects={screen.effects} params={NO_PARAMS}>
          <Record
            key={round}
            {...{ screen, start, conditionContext, initialValues, address, box, onClose }}
            onAgain={again}
            allFields={screen.allFields ? address : undefined}
          />
        </EffectsQuestion>
      )}
    </div>
  )
}

interface RecordProps {
  screen: FormScreen
  start: Start
  conditionContext: ConditionContext
  initialValues: Values
  address: string
  /** Address of the form with all fields. */
  allFields: string | undefined
  box: RefObject<HTMLDivElement | null>
  onClose: () => void
  /** Shows an empty form, for the next record (`isNext`) or to start again. */
  onAgain: (isNext: boolean) => void
}

function Record(props: RecordProps) {
  const { screen, start, conditionContext, initialValues, address, allFields, box, onClose, onAgain } = props
  const navigate = useNavigate()
  const { form, draft, isBusy, waiting, isOnlyHere, view, finish } = useNewRecord({
    screen,
    start,
    conditionContext,
    params: NO_PARAMS,
    initialValues,
    address,
    onDraft: () => undefined,
  })
  useEffect(() => {
    if (start.unsaved) draft.markChanged()
    firstControl(box.current, '.form :is(input, select, textarea)')?.focus()
    // Runs once, on mount.
  }, [box])
  useClosingGuard(isOnlyHere)
  const [isLeaving, setLeaving] = useState(false)
  // With a connection, closing stores the draft.
  const isLost = useRef<() => boolean>(() => false)
  isLost.current = () => {
    form.current?.flush()
    const cannotBeStored = waiting !== undefined || draft.hasFailed || !isReachable()
    return isOnlyHere() && (!screen.draft || cannotBeStored)
  }
  useEffect(
    () =>
      guardSidePanel(() => {
        if (!isLost.current()) return true
        setLeaving(true)
        return false
      }),
    [],
  )
  const leave = async () => {
    void draft.discard().catch(() => undefined)
    closeSidePanel()
  }

  const save = async (isAgain: boolean) => {
    const reply = await finish()
    if (!reply) return
    if (isAgain) onAgain(true)
    else onClose()
  }
  // The second click of a double click would save the next, empty one.
  const addAnother = ({ detail }: MouseEvent) => {
    if (detail <= 1) void save(true)
  }
  const startAgain = async () => {
    await draft.discard().catch(() => undefined)
    onAgain(false)
  }
  const openAllFields = async () => {
    form.current?.flush()
    draft.scheduleSave()
    // A failed save rejects and the form stays open; the HTTP interceptor has shown the error.
    await draft.autosave.flush()
    const id = draft.autosave.id()
    await draft.finish()
    navigate(id === undefined ? allFields! : `${allFields}${allFields!.includes('?') ? '&' : '?'}draft=${id}`)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
    event.preventDefault()
    void save(false)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the controls inside
    <div className="side-panel-form" onKeyDown={onKeyDown}>
      <div className="side-panel-body">
        {start.draft && (
          <p className="side-panel-draft">
            You began this before.{' '}
            <Button variant="minimal" size="small" text="Start again" onClick={() => void startAgain()} />
          </p>
        )}
        <FormView {...view} />
      </div>
      <div className="side-panel-bar">
        <Button intent="primary" loading={isBusy} aria-busy={isBusy} onClick={() => void save(false)}>
          Save{' '}
          <span className="side-panel-key" aria-hidden="true">
            Ctrl ↵
          </span>
        </Button>
        {screen.again && <Button text="Save and add another" disabled={isBusy} onClick={addAnother} />}
        {allFields && (
          <Button
            className="side-panel-all"
            variant="minimal"
            text="All fields…"
            disabled={isBusy}
            onClick={() => void openAllFields().catch(() => undefined)}
          />
        )}
        <WaitingNote save={waiting} />
      </div>
      <Question isOpen={isLeaving} texts={UNSAVED} onYes={leave} onNo={() => setLeaving(false)} />
    </div>
  )
}

const NO_PARAMS: Values = {}

/** A route with those of the query parameters that are set. */
function addressWith(route: string, query: Values): string {
  const set = Object.entries(query).filter(([, value]) => isSet(value))
  const search = new URLSearchParams(set.map(([name, value]) => [name, String(value)]))
  return set.length > 0 ? `${route}?${search}` : route
}

const MAX_DRAFTS = 100

/** Fetches the person's own draft that was begun at an address; none if the screen has no drafts. */
function useDraftAt(kind: string | undefined, address: string) {
  const list = useRead<{ data: Pick<Draft, 'id' | 'kind' | 'address'>[] }>(
    kind && 'drafts.list',
    { query: { page_size: MAX_DRAFTS } },
    { alwaysRefetch: true },
  )
  const isListed = kind === undefined || list.isFetchedAfterMount
  const id = isListed
    ? list.data?.data.find((one) => one.kind === kind && one.address === address)?.id
    : undefined
  const read = useRead<StoredDraft>(
    id === undefined ? undefined : 'drafts.read',
    { params: { id } },
    { alwaysRefetch: true },
  )
  return {
    stored: read.isFetchedAfterMount ? read.data : undefined,
    isReady: isListed && (id === undefined || read.isFetchedAfterMount),
    error: list.error ?? read.error,
  }
}

/** Warns before the browser tab is closed while there are unsaved changes. */
function useClosingGuard(isUnsaved: () => boolean): void {
  const latest = useRef(isUnsaved)
  latest.current = isUnsaved
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (latest.current()) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [])
}
