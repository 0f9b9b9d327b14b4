import { Button, Classes, Icon, type IconName } from '@blueprintjs/core'
import { lazy, type MouseEvent, Suspense, useState } from 'react'
import { Link } from 'react-router-dom'
import { linkTo } from '../runtime/link.ts'
import { notifyUnhandled } from '../runtime/notifyUnhandled.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { type ActionContext, useAction } from './useAction.ts'

// Forms are heavy, and most lists never open one.
const FormDialog = lazy(() => import('./FormDialog.tsx'))
const TypedConfirm = lazy(() => import('./TypedConfirm.tsx'))

interface Props extends ActionContext {
  about?: string
  small?: boolean
}

/** One action: a link where it goes somewhere, else a button, with a question or a form in between where it has one. */
export function ActionButton({ about, small, ...acting }: Props) {
  const { action, record, params } = acting
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
      <LinkButton {...{ to, small }} icon={action.icon}>
        {text}
      </LinkButton>
    ) : null
  }
  const needsForm = action.form || action.dialog
  const needsDialog = needsForm || action.confirm
  const close = () => setOpen(false)
  const run = () => act().catch(notifyUnhandled)
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
        intent={action.danger ? 'danger' : 'none'}
        variant={action.danger ? 'outlined' : 'solid'}
        size={small ? 'small' : 'medium'}
        loading={busy && !needsDialog}
        aria-busy={busy}
        aria-haspopup={needsDialog ? 'dialog' : undefined}
        text={text}
        onClick={onClick}
      />
      {needsForm ? (
        <Suspense>
          {isOpen && <FormDialog {...{ action, record, about, busy, act }} onClose={close} />}
        </Suspense>
      ) : action.typed ? (
        <Suspense>
          {isOpen && (
            <TypedConfirm
              {...{ action, record, about, busy }}
              onClose={close}
              onYes={() => void run().then(close)}
            />
          )}
        </Suspense>
      ) : (
        action.confirm && (
          <ConfirmDialog
            {...{ action, record, params, about, busy }}
            isOpen={isOpen}
            onClose={close}
            onYes={() => void run().then(close)}
          />
        )
      )}
    </>
  )
}

function LinkButton({
  to,
  icon,
  small,
  children,
}: {
  to: string
  icon?: string
  small?: boolean
  children: React.ReactNode
}) {
  return (
    <Link to={to} className={small ? `${Classes.BUTTON} ${Classes.SMALL}` : Classes.BUTTON}>
      {icon && <Icon icon={icon as IconName} aria-hidden />}
      <span className={Classes.BUTTON_TEXT}>{children}</span>
    </Link>
  )
}
