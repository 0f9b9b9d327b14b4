import { Button } from '@blueprintjs/core'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { Drawer } from '../../engine/page/Dialog.tsx'
import { MESSAGES } from '../messages.ts'
import { Messages } from './Messages.tsx'
import { Notices } from './Notices.tsx'
import { useNotifications } from './notifications.ts'

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
