import { Button } from '@blueprintjs/core'
import { zonedFormat } from '../../engine/runtime/timeZone.ts'
import { MESSAGES } from '../messages.ts'
import { useMessageLog } from './messageLog.ts'

const timeText = zonedFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** What toasts have said, the newest first; what one offered can still be done. */
export function Messages({ onDone }: { onDone: () => void }) {
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
