import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatDateTime } from './dates.ts'
import { useUser } from './user.ts'

/** Visible only in print: who printed the page, and when. */
export function PrintFooter() {
  const { first_name, last_name } = useUser()
  const [at, setAt] = useState('')
  useEffect(() => {
    // Render synchronously, because printing starts right after this event.
    const onBeforePrint = () => flushSync(() => setAt(formatDateTime(new Date().toISOString())))
    window.addEventListener('beforeprint', onBeforePrint)
    return () => window.removeEventListener('beforeprint', onBeforePrint)
  }, [])
  return (
    <p className="print-only">
      Printed by {first_name} {last_name}, {at}
    </p>
  )
}
