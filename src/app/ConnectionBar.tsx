import { useEffect, useState } from 'react'
import { useReachable } from '../engine/core/connection.ts'
import { MESSAGES } from './core/messages.ts'

/** A single lost request, such as an upload that was cut off, shows no bar if the server replies within this time. */
const SHOWN_AFTER_MS = 300

/** The bar at the foot of every page while the server cannot be reached. */
export function ConnectionBar() {
  const isReachable = useReachable()
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (isReachable) return setShown(false)
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isReachable])
  return (
    <div className="connection-bar" role="status">
      {isShown && MESSAGES.noConnection}
    </div>
  )
}
