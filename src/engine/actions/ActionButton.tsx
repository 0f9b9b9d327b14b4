import { Button, Classes, Icon, type IconName } from '@blueprintjs/core'
import { type MouseEvent, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Action } from '../../contract/generated.ts'
import { holds, type Values } from '../../contract/when.ts'
import { linkTo } from '../core/link.ts'
import { loadable } from '../core/loadable.tsx'
import { notifyUnhandled } from '../core/notifyUnhandled.ts'
import { type User, useUser } from '../core/user.ts'
import { WaitingNote } from '../core/WaitingNote.tsx'
import type { WaitingSave } from '../core/waitingSaves.ts'
import { type ActionContext, openActionInSidePanel, useAction } from './useAction.ts'

// Dialogs are heavy, and most lists never open one.
const ConfirmDialog = loadable(() => import('./ConfirmDialog.tsx'))
const ExplainDialog = loadable(() => import('./ExplainDialog.tsx'))
const FormDialog = loadable(() => import('./FormDialog.tsx'))
export const HoldDialog = loadable(() => import('./HoldDialog.tsx'))
const TypedConfirm = loadable(() => import('./TypedConfirm.tsx'))

interface Props extends ActionContext {
  about?: string
  small?: boolean
}

/** An action: a link if it has `to`, else a button, which opens the action's confirmation or form if it has one. */
export function ActionButton({ about, small, ...acting }: Props) {
  const { action, record, params } = acting
  const user = useUser()
  const { act, busy, waiting, holdToPass } = useAction(acting)
  const [isOpen, setOpen] = useState(false)
  const text = about ? (
    <>
      {action.label} <span className="visually-hidden">{about}</span>
    </>
  ) : (
    action.label
  )
  if (action.to) {
    const to = linkTo(action.to, { ...params, ...record })
    return to ? (
      <LinkButton {...{ to, small }} icon={action.icon} primary={action.primary}>
        {text}
      </LinkButton>
    ) : null
  }
  if (action.sidePanel) {
    // In a row there is room for an icon only.
    const isIcon = small && action.icon !== undefined
    return (
      <Button
        icon={action.icon as IconName}
        size={small ? 'small' : 'medium'}
        variant={isIcon ? 'minimal' : 'solid'}
        intent={action.primary ? 'primary' : 'none'}
        title={isIcon ? action.label : undefined}
        aria-label={isIcon ? [action.label, about].filter(Boolean).join(' ') : undefined}
        aria-haspopup="dialog"
        data-side-panel={action.sidePanel}
        text={isIcon ? undefined : text}
        onClick={() => openActionInSidePanel(action, { ...params, ...record })}
      />
    )
  }
  const needsDialog = hasDialog(action, { record, user })
  const close = () => setOpen(false)
  const onClick = ({ detail }: MouseEvent) => {
    // Ignore the second click of a double click: it was meant for the previous button here, such as Retire before
    // Unretire.
    if (detail > 1) return
    if (needsDialog) setOpen(true)
    else void act().catch(notifyUnhandled)
  }
  return (
    <>
      <Button
        icon={action.icon as IconName}
        intent={action.danger ? 'danger' : action.primary ? 'primary' : 'none'}
        variant={action.danger ? 'outlined' : 'solid'}
        size={small ? 'small' : 'medium'}
        loading={busy && !needsDialog}
        aria-busy={busy}
        aria-haspopup={needsDialog ? 'dialog' : undefined}
        data-key={action.key}
        text={text}
        onClick={onClick}
      />
      {isOpen && <ActionDialog {...{ action, record, params, about, busy, act, waiting }} onClose={close} />}
      {!needsDialog && <WaitingNote save={waiting} />}
      {holdToPass && <HoldDialog holdToPass={holdToPass} label={action.label} />}
    </>
  )
}

/** True if an action opens a dialog, before its call if it has one, for this record and user. */
export function hasDialog(
  { explains, form, formCall, dialog, confirm, confirmWhen }: Action,
  { record, user }: { record?: Values; user: User },
): boolean {
  return Boolean(explains || form || formCall || dialog || (confirm && holds(confirmWhen, { record, user })))
}

/** The dialog of an action: an explanation, or before its call a form, a confirmation, or one that requires typing a text. */
export function ActionDialog({
  action,
  record,
  params,
  about,
  busy,
  act,
  waiting,
  onClose: close,
}: Omit<Props, 'small'> & {
  busy: boolean
  act: (answers?: Values, showsFields?: true) => Promise<void>
  waiting: WaitingSave | undefined
  onClose: () => void
}) {
  // Closing the dialog cancels a call that waits for the connection.
  const onClose = () => {
    waiting?.cancel()
    close()
  }
  const onYes = () => void act().catch(notifyUnhandled).then(close)
  if (action.explains) return <ExplainDialog {...{ action, record, params, onClose }} />
  if (action.form || action.formCall || action.dialog)
    return <FormDialog {...{ action, record, params, about, busy, act, waiting, onClose, onDone: close }} />
  const Confirm = action.typed ? TypedConfirm : ConfirmDialog
  return <Confirm {...{ action, record, params, about, busy, waiting, onYes, onClose }} />
}

function LinkButton({
  to,
  icon,
  small,
  primary,
  children,
}: {
  to: string
  icon?: string
  small?: boolean
  primary?: boolean
  children: React.ReactNode
}) {
  const classes = [Classes.BUTTON, small && Classes.SMALL, primary && Classes.INTENT_PRIMARY]
  return (
    <Link to={to} className={classes.filter(Boolean).join(' ')}>
      {icon && <Icon icon={icon as IconName} aria-hidden />}
      <span className={Classes.BUTTON_TEXT}>{children}</span>
    </Link>
  )
}
