import { Button, type IconName } from '@blueprintjs/core'
import { useContext } from 'react'
import { allows } from '../../contract/access.ts'
import type { Action } from '../../contract/generated.ts'
import { holds } from '../../contract/when.ts'
import { loadable } from '../page/loadable.tsx'
import { useContract } from '../runtime/contract.ts'
import { useUser } from '../runtime/user.ts'
import { ActionButton } from './ActionButton.tsx'
import { ActionMenu } from './ActionMenu.tsx'
import { PrintContext } from './print.ts'
import type { ActionContext } from './useAction.ts'

const Upload = loadable(() => import('./Upload.tsx'))
const Download = loadable(() => import('./Download.tsx'))

/** The buttons a screen offers this person for this record; `about` distinguishes those of one row from those of the next. */
export function Actions({
  actions = [],
  record,
  params,
  onDone,
  about,
  small,
}: Omit<ActionContext, 'action'> & { actions?: Action[]; about?: string; small?: boolean }) {
  const { roles, endpoints } = useContract()
  const user = useUser()
  const offered = actions.filter(
    (action) =>
      allows(roles, action.roles, user.groups) &&
      [action.call, action.upload, action.download].every(
        (call) => !call || allows(roles, endpoints[call].roles, user.groups),
      ) &&
      holds(action.when, { record, user }),
  )
  if (offered.length === 0) return null
  const draw = (action: Action) =>
    action.upload ? (
      <Upload key={action.label} {...{ action, params }} />
    ) : action.download ? (
      <Download key={action.label} {...{ action, params }} />
    ) : action.print ? (
      <PrintButton key={action.label} action={action} />
    ) : (
      <ActionButton key={action.label} {...{ action, record, params, onDone, about, small }} />
    )
  const inMenu = offered.filter(({ menu }) => menu)
  return (
    <div className="actions">
      {offered.filter(({ menu }) => !menu).map(draw)}
      {inMenu.length > 0 && <ActionMenu {...{ about, small }}>{inMenu.map(draw)}</ActionMenu>}
    </div>
  )
}

/** Prints what the page shows, and the rest of it where that is more. */
function PrintButton({ action }: { action: Action }) {
  const print = useContext(PrintContext)
  return <Button icon={action.icon as IconName} text={action.label} onClick={print} />
}
