import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { MESSAGES } from '../core/messages.ts'
import { clearEnding, useSession } from '../core/session.ts'

export function Thanks() {
  const [isElsewhere] = useState(useSession().ended === 'leftElsewhere')
  // From now on a protected URL redirects to the sign-in page.
  useEffect(clearEnding, [])
  return (
    <main className="front">
      <h1>{MESSAGES.thanks}</h1>
      <p>{isElsewhere ? MESSAGES.leftElsewhere : 'Thank you. You can close this page.'}</p>
      <p>
        <Link to="/login">Sign in again</Link>
      </p>
    </main>
  )
}
