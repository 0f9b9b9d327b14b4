import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { momentText } from './cells/dates.ts'
import { useUser } from './user.ts'

/** On paper only: who printed the page, and when. */
export function Printed() {
  const { first_name, last_name } = useUser()
  const [at, setAt] = useState('')
  useEffect(() => {
    // The paper is made right after this event.
    const begin = () => flushSync(() => setAt(momentText(new Date().toISOString())))
    window.addEventListener('beforeprint', begin)
    return () => window.removeEventListener('beforeprint', begin)
  }, [])
  return (
    <p className="print-only">
      Printed by {first_name} {last_name}, {at}
    </p>
  )
}
