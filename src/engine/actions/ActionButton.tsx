import { Button, Classes, Icon, type IconName } from '@blueprintjs/core'
import { type MouseEvent, useState } from 'react'
import { Link } from 'react-router-dom'
import { holds } from '../../contract/when.ts'
import { loadable } from '../page/loadable.tsx'
import { linkTo } from '../runtime/link.ts'
import { notifyUnhandled } from '../runtime/notifyUnhandled.ts'
import { useUser } from '../runtime/user.ts'
import { type ActionContext, useAction } from './useAction.ts'

// Dialogs are heavy, and most lists never open one.
const ConfirmDialog = loadable(() => import('./ConfirmDialog.tsx'))
const FormDialog = loadable(() => import('./FormDialog.tsx'))
const TypedConfirm = loadable(() => import('./TypedConfirm.tsx'))

interface Props extends ActionContext {
  about?: string
  small?: boolean
}

/** One action: a link where it goes somewhere, else a button, with a question or a form in between where it has one. */
export function ActionButton({ about, small, ...acting }: Props) {
  const { action, record, params } = acting
  const user = useUser()
  const { act, busy } = useAction(acting)
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
  const needsForm = action.form || action.dialog
  const asks = action.confirm !== undefined && holds(action.confirmWhen, { record, user })
  const needsDialog = needsForm || asks
  const close = () => setOpen(false)
  const run = () => act().catch(notifyUnhandled)
  const onYes = () => void run().then(close)
  const onClick = ({ detail }: MouseEvent) => {
    // Ignore the second click of a double click: it was meant for the previous button here, such as Retire before
    // Unretire.
    if (detail > 1) return
    if (needsDialog) setOpen(true)
    else void run()
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
        text={text}
        onClick={onClick}
      />
      {isOpen && needsForm && <FormDialog {...{ action, record, about, busy, act }} onClose={close} />}
      {isOpen && !needsForm && action.typed && (
        <TypedConfirm {...{ action, record, about, busy, onYes }} onClose={close} />
      )}
      {isOpen && !needsForm && !action.typed && asks && (
        <ConfirmDialog {...{ action, record, params, about, busy, onYes }} onClose={close} />
      )}
    </>
  )
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
