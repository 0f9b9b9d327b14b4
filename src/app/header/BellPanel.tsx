import { Button } from '@blueprintjs/core'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { zonedFormat } from '../../engine/core/timeZone.ts'
import { useMessageLog } from '../core/messageLog.ts'
import { MESSAGES } from '../core/messages.ts'
import { News } from './News.tsx'
import type { Notifications } from './notifications.ts'

const timeText = zonedFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** The panel of the bell: what has happened, totals of what waits, and recent messages of toasts. */
export default function BellPanel({ onClose, ...notifications }: Notifications & { onClose: () => void }) {
  const close = useRef<HTMLButtonElement>(null)
  const { news, lines, isLoading, isError } = notifications
  // On mount, and when the focused button was removed with the last line.
  useEffect(() => {
    if (news === 0 || !close.current?.closest('.bell')?.contains(document.activeElement))
      close.current?.focus()
  }, [news])
  const isEmpty = news + lines.length === 0 && !isLoading && !isError
  return (
    <div className="bell" role="dialog" aria-modal="true" aria-labelledby="bell-title">
      <div className="bell-head">
        <h2 id="bell-title">Notifications</h2>
        <Button variant="minimal" icon="cross" aria-label="Close" ref={close} onClick={onClose} />
      </div>
      {isEmpty && <p>{MESSAGES.noNotifications}</p>}
      {news > 0 && <News />}
      <Totals {...notifications} />
      <h3>Recent messages</h3>
      <Messages onDone={onClose} />
    </div>
  )
}

/** The messages of toasts, newest first, with their buttons. */
function Messages({ onDone }: { onDone: () => void }) {
  const messages = useMessageLog()
  if (messages.length === 0) return <p>No messages since you opened this page.</p>
  return (
    <ul className="messages">
      {messages.map(({ id, at, title, text, action, offer }) => (
        <li key={id}>
          <time dateTime={at.toISOString()}>{timeText(at)}</time>
          <span>
            {title && <strong>{title} </strong>}
            {text}
          </span>
          {[offer, action].map(
            (one) =>
              one && (
                <Button
                  key={one.label}
                  size="small"
                  text={one.label}
                  onClick={() => {
                    onDone()
                    one.run()
                  }}
                />
              ),
          )}
        </li>
      ))}
    </ul>
  )
}

/** Totals of what waits, each with a link to its screen. */
function Totals({ lines, isError }: Notifications) {
  if (lines.length === 0 && !isError) return null
  return (
    <>
      <h3>Waiting</h3>
      {isError && <p>{MESSAGES.noticesNotLoaded}</p>}
      <ul className="notices">
        {lines.map(({ id, words, link, to }) => (
          <li key={id}>
            <span>{words}</span>
            {to && <Link to={to}>{link}</Link>}
          </li>
        ))}
      </ul>
    </>
  )
}
