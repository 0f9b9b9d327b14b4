import { Button } from '@blueprintjs/core'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { Drawer } from '../../engine/core/Dialog.tsx'
import { ErrorBoundary } from '../../engine/core/ErrorBoundary.tsx'
import { loadable } from '../../engine/core/loadable.tsx'
import { MESSAGES } from '../core/messages.ts'
import { useNotifications } from './notifications.ts'

const BellPanel = loadable(() => import('./BellPanel.tsx'))

const MAX_COUNT = 99

const atMost = (count: number) => (count > MAX_COUNT ? `${MAX_COUNT}+` : count)

/** The accessible name of the bell. Opening the panel dismisses nothing, so it does not lower these counts. */
function nameOf(unread: number, waiting: number): string {
  if (unread > 0) return `Notifications, ${unread} unread`
  return waiting > 0 ? `Notifications, ${waiting} waiting` : 'Notifications'
}

/** The notification bell and its panel of notifications and recent messages. */
export function Bell() {
  const [open, setOpen] = useState(false)
  const notifications = useNotifications()
  const { news, risen, waiting, see } = notifications
  const unread = news + risen
  const { key } = useLocation()
  // Close the panel on navigation.
  useEffect(() => setOpen(false), [key])
  // Totals that rise while the panel is open count as seen.
  useEffect(() => {
    if (open && risen > 0) see()
  }, [open, risen, see])
  return (
    <>
      <span className="bell-button">
        <Button
          variant="minimal"
          icon="notifications"
          aria-label={nameOf(unread, waiting)}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(true)}
        />
        {unread + waiting > 0 && (
          <span className={unread > 0 ? 'badge' : 'badge badge-seen'} aria-hidden="true">
            {atMost(unread > 0 ? unread : waiting)}
          </span>
        )}
        <span className="visually-hidden" role="status">
          {unread > 0 && MESSAGES.unread(unread)}
        </span>
      </span>
      <ErrorBoundary what="Notifications" fallback={null}>
        <Drawer isOpen={open} onClose={() => setOpen(false)} size="min(360px, 100vw)">
          <BellPanel {...notifications} onClose={() => setOpen(false)} />
        </Drawer>
      </ErrorBoundary>
    </>
  )
}
