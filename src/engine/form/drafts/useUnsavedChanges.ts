import { useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { Values } from '../../../contract/when.ts'
import { useUser } from '../../core/user.ts'

interface UnsavedChanges {
  user: number
  address: string
  changes: Values
}

// Only in this page's memory: what people write about people is never stored on the device.
let remembered: UnsavedChanges | undefined

/**
 * Remembers unsaved changes in memory when a form unmounts without being discarded, such as at the end of a session,
 * and offers them to the same person at the same URL.
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
  // A layout effect, because the form can still be read before its children unmount.
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
