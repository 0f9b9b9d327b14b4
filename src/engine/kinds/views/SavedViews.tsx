import { Button } from '@blueprintjs/core'
import { useId, useState } from 'react'
import { Link } from 'react-router-dom'
import { useSend } from '../../core/calls.ts'
import { ErrorCard } from '../../core/ErrorCard.tsx'
import { notify } from '../../core/notices.ts'
import { notifyUnhandled } from '../../core/notifyUnhandled.ts'
import { useUser } from '../../core/user.ts'
import type { Filter } from '../list/state/filters.ts'
import type { ListStateControls } from '../list/state/useListState.ts'
import { SaveView } from './SaveView.tsx'
import { describeOwner, type SavedView, type ViewContent } from './savedView.ts'
import { useSavedViews } from './useSavedViews.ts'

interface Props {
  /** Name of the list's screen. */
  name: string
  filters: Filter[]
  listState: ListStateControls
  /** The current content of the list. */
  content: ViewContent
  onOpen: () => void
}

/** The saved views of a list as links. Users can rename, share and delete their own, and save the current state. */
export function SavedViews({ name, filters, listState, content, onOpen }: Props) {
  const id = useId()
  const { state, viewLink, openView, leaveView } = listState
  const { views, isLoaded, error, refetch } = useSavedViews(name)
  // ID of the view that is edited, or 'new'.
  const [edited, setEdited] = useState<number | 'new'>()
  const saved = (view: SavedView) => {
    setEdited(undefined)
    notify({ kind: 'success', text: `${view.name} is saved` })
    if (edited === 'new') openView(view)
  }
  const form = { name, filters, content, onSaved: saved, onCancel: () => setEdited(undefined) }
  if (error) return <ErrorCard error={error} onRetry={() => void refetch()} />
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>Saved views</h3>
      {isLoaded && views.length === 0 && (
        <p className="views-hint">Nobody has saved one for this list yet.</p>
      )}
      <ul className="views-list" aria-labelledby={id}>
        {views.map((view) =>
          view.id === edited ? (
            <li key={view.id}>
              <SaveView {...form} view={view} />
            </li>
          ) : (
            <ViewItem
              key={view.id}
              view={view}
              isCurrent={view.id === state.view}
              to={viewLink(view)}
              onOpen={onOpen}
              onEdit={() => setEdited(view.id)}
              onRemoved={() => view.id === state.view && leaveView()}
            />
          ),
        )}
      </ul>
      {edited === 'new' ? (
        <SaveView {...form} />
      ) : (
        <Button text="Save the current list as a view" onClick={() => setEdited('new')} />
      )}
    </section>
  )
}

interface ItemProps {
  view: SavedView
  isCurrent: boolean
  to: string
  onOpen: () => void
  onEdit: () => void
  onRemoved: () => void
}

function ViewItem({ view, isCurrent, to, onOpen, onEdit, onRemoved }: ItemProps) {
  const { id: me } = useUser()
  const remove = useSend<unknown>('savedViews.remove')
  const [isAsking, setAsking] = useState(false)
  const confirm = () =>
    remove.mutateAsync({ params: { id: view.id } }).then(() => {
      notify({ kind: 'success', text: `${view.name} is deleted` })
      onRemoved()
    }, notifyUnhandled)
  const about = <span className="visually-hidden">{view.name}</span>
  return (
    <li>
      <div className="views-name">
        <Link to={to} aria-current={isCurrent || undefined} onClick={onOpen}>
          {view.name}
        </Link>
        <span className="views-hint">
          {describeOwner(view, me)}
          {isCurrent && ', shown now'}
        </span>
      </div>
      {view.staff === me && !isAsking && (
        <>
          <Button variant="minimal" size="small" onClick={onEdit}>
            Rename or share {about}
          </Button>
          <Button variant="minimal" size="small" onClick={() => setAsking(true)}>
            Delete {about}
          </Button>
        </>
      )}
      {isAsking && (
        <>
          <span role="alert">{view.shared ? 'Delete it for everybody?' : 'Delete it?'}</span>
          <Button size="small" autoFocus onClick={() => setAsking(false)}>
            Keep {about}
          </Button>
          <Button
            size="small"
            intent="danger"
            variant="outlined"
            loading={remove.isPending}
            aria-busy={remove.isPending}
            onClick={() => void confirm()}
          >
            Delete {about}
          </Button>
        </>
      )}
    </li>
  )
}
