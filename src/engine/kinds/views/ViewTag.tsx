import { Button } from '@blueprintjs/core'
import type { ListScreen } from '../../../contract/generated.ts'
import type { RenderedColumn } from '../../cells/columns.ts'
import { useSend } from '../../core/calls.ts'
import { fieldErrors } from '../../core/fieldErrors.ts'
import { notify } from '../../core/notices.ts'
import { notifyUnhandled } from '../../core/notifyUnhandled.ts'
import { useUser } from '../../core/user.ts'
import type { ListStateControls } from '../list/state/useListState.ts'
import { contentOf, describeOwner, isChanged, type SavedView } from './savedView.ts'
import { useSavedViews } from './useSavedViews.ts'

interface Props {
  screen: ListScreen
  name: string
  listState: ListStateControls
  columns: RenderedColumn[]
}

/** The saved view of a list, with unsaved changes, and buttons to save or undo them and to leave the view. */
export default function ViewTag({ screen, name, listState, columns }: Props) {
  const { id: me } = useUser()
  const { state, openView, leaveView } = listState
  const { views, isLoaded } = useSavedViews(name)
  const send = useSend<SavedView>('savedViews.update')
  const view = views.find(({ id }) => id === state.view)
  const content = contentOf(state, screen, columns)
  const changed = view !== undefined && isChanged(view, content)
  const save = async () => {
    try {
      const body = { ...content, version: view!.version }
      const saved = await send.mutateAsync({ params: { id: view!.id }, body })
      openView(saved)
      notify({ kind: 'success', text: `${saved.name} is saved` })
    } catch (error) {
      const errors = fieldErrors(error)
      if (errors) notify({ kind: 'error', text: Object.values(errors).flat().join(' ') })
      else notifyUnhandled(error)
    }
  }
  if (!isLoaded) return <div className="view-tag" />
  return (
    <div className="view-tag">
      <span role="status">
        {view ? (
          <>
            View: <strong>{view.name}</strong>
            {changed && ', changed'} <span className="view-about">({describeOwner(view, me)})</span>
          </>
        ) : (
          'This view is no longer there, or no longer shared with you'
        )}
      </span>
      {changed && view.staff === me && (
        <Button
          size="small"
          text="Save changes"
          loading={send.isPending}
          aria-busy={send.isPending}
          onClick={() => void save()}
        />
      )}
      {changed && (
        <Button size="small" variant="minimal" text="Undo changes" onClick={() => openView(view)} />
      )}
      <Button size="small" variant="minimal" endIcon="cross" text="Leave this view" onClick={leaveView} />
    </div>
  )
}
