import { Button, Classes, Icon, type IconName } from '@blueprintjs/core'
import { lazy, type MouseEvent, Suspense, useState } from 'react'
import { Link } from 'react-router-dom'
import { linkTo } from '../link.ts'
import { notifyUnhandled } from '../untold.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { type Acting, useAction } from './useAction.ts'

// Forms are heavy, and most lists never open one.
const FormDialog = lazy(() => import('./FormDialog.tsx'))
const TypedConfirm = lazy(() => import('./TypedConfirm.tsx'))

interface Props extends Acting {
  about?: string
  small?: boolean
}

/** One action: a link where it goes somewhere, else a button, with a question or a form in between where it has one. */
export function ActionButton({ about, small, ...acting }: Props) {
  const { action, record, params } = acting
  const { act, busy } = useAction(acting)
  const [asking, setAsking] = useState(false)
  const words = about ? (
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
        {words}
      </LinkButton>
    ) : null
  }
  const asksMore = action.form || action.dialog
  const asks = asksMore || action.confirm
  const close = () => setAsking(false)
  const run = () => act().catch(notifyUnhandled)
  const press = ({ detail }: MouseEvent) => {
    // The second click of two is for the button that was here at the first, such as Retire before Unretire.
    if (detail > 1) return
    if (asks) setAsking(true)
    else void run()
  }
  return (
    <>
      <Button
        icon={action.icon as IconName}
        intent={action.danger ? 'danger' : 'none'}
        variant={action.danger ? 'outlined' : 'solid'}
        size={small ? 'small' : 'medium'}
        loading={busy && !asks}
        aria-busy={busy}
        aria-haspopup={asks ? 'dialog' : undefined}
        text={words}
        onClick={press}
      />
      {asksMore ? (
        <Suspense>
          {asking && <FormDialog {...{ action, record, about, busy, act }} onClose={close} />}
        </Suspense>
      ) : action.typed ? (
        <Suspense>
          {asking && (
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
            isOpen={asking}
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
