import { useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { Values } from '../../contract/when.ts'
import { useUser } from '../runtime/user.ts'

interface UnsavedChanges {
  user: number
  address: string
  changes: Values
}

// Only in this page's memory: what people write about people is never stored on the device.
let remembered: UnsavedChanges | undefined

/**
 * Keeps what was typed when a form goes without having been given up, as when the session ends, and offers it to the
 * same person at the same address.
 */
export function useUnsavedChanges(changes: () => Values) {
  const { id: user } = useUser()
  const { pathname: address } = useLocation()
  const isDiscarded = useRef(false)
  const latestChanges = useRef(changes)
  latestChanges.current = changes
  const [offered, setOffered] = useState(() => {
    const own = remembered?.user === user && remembered.address === address ? remembered.changes : undefined
    if (own) remembered = undefined
    return own
  })
  // Before the form's own parts go, while it can still be asked.
  useLayoutEffect(
    () => () => {
      const unsaved = isDiscarded.current ? {} : latestChanges.current()
      if (Object.keys(unsaved).length > 0) remembered = { user, address, changes: unsaved }
    },
    [user, address],
  )
  return {
    offered,
    dismiss: () => setOffered(undefined),
    discard: async () => {
      isDiscarded.current = true
    },
  }
}
