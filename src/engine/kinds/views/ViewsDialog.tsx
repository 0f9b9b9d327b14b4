import { Button, Classes, DialogBody, DialogFooter, Switch } from '@blueprintjs/core'
import type { ListScreen } from '../../../contract/generated.ts'
import type { RenderedColumn } from '../../cells/columns.ts'
import { Dialog } from '../../core/Dialog.tsx'
import { hasColumnChoice } from '../list/state/columnChoice.ts'
import type { Filter } from '../list/state/filters.ts'
import { useCompactRows } from '../list/state/useCompactRows.ts'
import type { ListStateControls } from '../list/state/useListState.ts'
import { ColumnChooser } from './ColumnChooser.tsx'
import { SavedViews } from './SavedViews.tsx'
import { contentOf } from './savedView.ts'

export interface ViewsDialogProps {
  screen: ListScreen
  name: string
  filters: Filter[]
  listState: ListStateControls
  /** All columns to choose from. */
  all: RenderedColumn[]
  /** The visible columns, in their order. */
  columns: RenderedColumn[]
  /** Sets the visible columns by their fields; undefined resets them to those of the screen. */
  onChoose: (fields: string[] | undefined) => void
  /** True if views of this list can be saved. */
  isSaved: boolean
  title: string
  onClose: () => void
}

/** The saved views of a list and the choice of its columns, which takes effect at once behind the dialog. */
export default function ViewsDialog(props: ViewsDialogProps) {
  const { screen, name, filters, listState, all, columns, onChoose, isSaved, title, onClose } = props
  const [isCompact, setCompact] = useCompactRows()
  return (
    <Dialog isOpen className="dialog views" title={title} onClose={onClose} onOpened={focusFirst}>
      <DialogBody>
        {isSaved && (
          <SavedViews
            {...{ name, filters, listState }}
            content={contentOf(listState.state, screen, columns)}
            onOpen={onClose}
          />
        )}
        <Switch
          label="Compact rows in every list"
          checked={isCompact}
          onChange={({ currentTarget: { checked } }) => setCompact(checked)}
        />
        {hasColumnChoice(screen) && <ColumnChooser all={all} visible={columns} onChoose={onChoose} />}
      </DialogBody>
      <DialogFooter actions={<Button intent="primary" text="Close" onClick={onClose} />} />
    </Dialog>
  )
}

/** Focuses the first control of the body, unless the focus is in it already. */
function focusFirst(dialog: HTMLElement): void {
  const body = dialog.querySelector(`.${Classes.DIALOG_BODY}`)
  if (!body?.contains(document.activeElement)) body?.querySelector<HTMLElement>('a, button')?.focus()
}
