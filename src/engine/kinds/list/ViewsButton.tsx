import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { loadable } from '../../core/loadable.tsx'
import { withStyle } from '../../core/loadStyle.ts'
import type { ViewsDialogProps } from '../views/ViewsDialog.tsx'
import { hasColumnChoice } from './state/columnChoice.ts'

const ViewsDialog = loadable(() => withStyle('views', import('../views/ViewsDialog.tsx')))

/** A button that opens the saved views of a list and the choice of its columns. */
export function ViewsButton(props: Omit<ViewsDialogProps, 'onClose' | 'title'>) {
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
