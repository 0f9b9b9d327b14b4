import { Button } from '@blueprintjs/core'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { Drawer } from '../../engine/page/Dialog.tsx'
import { zonedFormat } from '../../engine/runtime/timeZone.ts'
import { MESSAGES } from '../messages.ts'
import { useMessageLog } from './messageLog.ts'
import { type Notifications, useNotifications } from './notifications.ts'

const timeText = zonedFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

const MOST = 99

/** The notification bell and its panel: what waits for the person, and what toasts have said. */
export function Bell() {
  const [open, setOpen] = useState(false)
  const close = useRef<HTMLButtonElement>(null)
  const notifications = useNotifications()
  const { unread, see } = notifications
  const { key } = useLocation()
  // Whoever goes to another page is done with the panel.
  useEffect(() => setOpen(false), [key])
  // Also what comes while the panel is open is seen.
  useEffect(() => {
    if (open && unread > 0) see()
  }, [open, unread, see])
  return (
    <>
      <span className="bell-button">
        <Button
          variant="minimal"
          icon="notifications"
          aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(true)}
        />
        {unread > 0 && (
          <span className="badge" aria-hidden="true">
            {unread > MOST ? `${MOST}+` : unread}
          </span>
        )}
        <span className="visually-hidden" role="status">
          {unread > 0 && MESSAGES.unread(unread)}
        </span>
      </span>
      <Drawer
        isOpen={open}
        onClose={() => setOpen(false)}
        onOpened={() => close.current?.focus()}
        size="min(360px, 100vw)"
      >
        <div className="bell" role="dialog" aria-modal="true" aria-labelledby="bell-title">
          <div className="bell-head">
            <h2 id="bell-title">Notifications</h2>
            <Button
              variant="minimal"
              icon="cross"
              aria-label="Close"
              ref={close}
              onClick={() => setOpen(false)}
            />
          </div>
          <Notices {...notifications} />
          <h3>Recent messages</h3>
          <Messages onDone={() => setOpen(false)} />
        </div>
      </Drawer>
    </>
  )
}

/** What toasts have said, the newest first; what one offered can still be done. */
function Messages({ onDone }: { onDone: () => void }) {
  const messages = useMessageLog()
  if (messages.length === 0) return <p>{MESSAGES.noMessages}</p>
  return (
    <ul className="messages">
      {messages.map(({ id, at, title, text, action }) => (
        <li key={id}>
          <time dateTime={at.toISOString()}>{timeText(at)}</time>
          <span>
            {title && <strong>{title} </strong>}
            {text}
          </span>
          {action && (
            <Button
              size="small"
              text={action.label}
              onClick={() => {
                onDone()
                action.run()
              }}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

/** What waits for the person, each with the way to see to it. */
function Notices({ lines, isLoading, isError }: Notifications) {
  if (isError) return <p>{MESSAGES.noticesNotLoaded}</p>
  if (lines.length === 0) return <p>{isLoading ? '' : MESSAGES.noNotifications}</p>
  return (
    <ul className="notices">
      {lines.map(({ id, words, link, to }) => (
        <li key={id}>
          <span>{words}</span>
          {to && <Link to={to}>{link}</Link>}
        </li>
      ))}
    </ul>
  )
}
