import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { Actions } from '../../actions/Actions.tsx'
import { PrintContext } from '../../actions/print.ts'
import { loadable } from '../../core/loadable.tsx'
import { withStyle } from '../../core/loadStyle.ts'
import type { Row } from '../../core/results.ts'
import type { ViewsDialogProps } from '../views/ViewsDialog.tsx'
import { ExportButton } from './ExportButton.tsx'
import { hasColumnChoice } from './state/columnChoice.ts'
import type { ListData } from './useList.ts'

// Lazy: few lists can be reordered or import a spreadsheet.
const ImportAndOrder = loadable(() => import('./ImportAndOrder.tsx'))

interface Props {
  list: ListData
  title: string
  record: Row | undefined
  isOpen: boolean
  onToggle: () => void
  onOrder: () => void
}

/** The buttons of a list: filters, views, export, import, order and those of the screen. */
export function ListTools({ list, title, record, isOpen, onToggle, onOrder }: Props) {
  const { screen, name, params, filters, listState, all, columns, choose, isSaved, isIdle, printAll } = list
  return (
    <>
      {filters.length > 0 && (
        <Button icon="filter" text="Filters" aria-expanded={isOpen} active={isOpen} onClick={onToggle} />
      )}
      {(isSaved || hasColumnChoice(screen)) && (
        <ViewsButton {...{ screen, name, filters, listState, all, columns, isSaved }} onChoose={choose} />
      )}
      {screen.export !== false && !isIdle && (
        <ExportButton call={screen.source} callOptions={{ params, query: list.exportQuery }} />
      )}
      {(screen.import || screen.reorder) && (
        <ImportAndOrder screen={screen} title={title} params={params} onOrder={onOrder} />
      )}
      <PrintContext value={printAll.print}>
        <Actions actions={screen.toolbar} record={record} params={params} />
      </PrintContext>
    </>
  )
}

const ViewsDialog = loadable(() => withStyle('views', import('../views/ViewsDialog.tsx')))

/** A button that opens the saved views of a list and the choice of its columns. */
function ViewsButton(props: Omit<ViewsDialogProps, 'onClose' | 'title'>) {
  const [isOpen, setOpen] = useState(false)
  const { isSaved, screen } = props
  const title = !hasColumnChoice(screen) ? 'Views' : isSaved ? 'Columns and views' : 'Columns'
  return (
    <>
      <Button text={title} aria-haspopup="dialog" onClick={() => setOpen(true)} />
      {isOpen && <ViewsDialog {...props} title={title} onClose={() => setOpen(false)} />}
    </>
  )
}
