import { Link } from 'react-router-dom'
import { MESSAGES } from '../messages.ts'
import type { Notifications } from './notifications.ts'

/** What waits for the person, each with the way to see to it. */
export function Notices({ lines, isLoading, isError }: Notifications) {
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
