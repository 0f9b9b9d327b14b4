import { Button } from '@blueprintjs/core'
import { useRef, useState } from 'react'
import { Drawer } from '../engine/Dialog.tsx'
import { Messages } from './Messages.tsx'
import { MESSAGES } from './messages.ts'

/** The notification bell and its panel, which also lists what toasts have said. */
export function Bell() {
  const [open, setOpen] = useState(false)
  const close = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Button
        variant="minimal"
        icon="notifications"
        aria-label="Notifications"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      />
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
          <p>{MESSAGES.noNotifications}</p>
          <h3>Recent messages</h3>
          <Messages onDone={() => setOpen(false)} />
        </div>
      </Drawer>
    </>
  )
}
