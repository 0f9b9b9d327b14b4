import { Button, type IconName } from '@blueprintjs/core'
import { useContext } from 'react'
import type { Action } from '../../contract/generated.ts'
import { loadable } from '../core/loadable.tsx'
import { menuOf } from '../core/menuOf.ts'
import { ActionButton } from './ActionButton.tsx'
import { ActionMenu } from './ActionMenu.tsx'
import { PrintContext } from './print.ts'
import type { ActionContext } from './useAction.ts'
import { useOfferedActions } from './useOfferedActions.ts'

const Upload = loadable(() => import('./Upload.tsx'))
const Download = loadable(() => import('./Download.tsx'))

/** The actions that the user may take on a record; `about` distinguishes the buttons of different rows. */
export function Actions({
  actions = [],
  record,
  params,
  onDone,
  about,
  small,
}: Omit<ActionContext, 'action'> & { actions?: Action[]; about?: string; small?: boolean }) {
  const offered = useOfferedActions(actions, record)
  if (offered.length === 0) return null
  const render = (action: Action) => {
    const menu = menuOf(action)
    return action.upload ? (
      <Upload key={action.label} {...{ action, params }} />
    ) : action.download ? (
      <Download key={action.label} {...{ action, params }} />
    ) : menu ? (
      <ActionMenu
        key={action.label}
        {...{ record, params, onDone, about, small }}
        label={action.label}
        icon={action.icon}
        shortcut={action.key}
        items={menu}
      />
    ) : action.print ? (
      <PrintButton key={action.label} action={action} />
    ) : (
      <ActionButton key={action.label} {...{ action, record, params, onDone, about, small }} />
    )
  }
  // A menu cannot contain a drop area or another menu.
  const isRare = (action: Action) => action.rare && !action.upload && !menuOf(action)
  const rare = offered.filter(isRare)
  return (
    <div className="actions">
      {offered.filter((action) => !isRare(action)).map(render)}
      <ActionMenu
        {...{ record, params, onDone, about, small }}
        label={about ? 'More actions for' : 'More actions'}
        text="…"
        items={rare}
      />
    </div>
  )
}

/** A button that prints the page, with all rows of a list. */
function PrintButton({ action }: { action: Action }) {
  const print = useContext(PrintContext)
  return <Button icon={action.icon as IconName} text={action.label} onClick={print} />
}
