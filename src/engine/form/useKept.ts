import { useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { Values } from '../../contract/when.ts'
import { useUser } from '../user.ts'

interface Kept {
  user: number
  address: string
  changes: Values
}

// Only in this page's memory: what people write about people is never stored on the device.
let kept: Kept | undefined

/**
 * Keeps what was typed when a form goes without having been given up, as when the session ends, and offers it to the
 * same person at the same address.
 */
export function useKept(changes: () => Values) {
  const { id: user } = useUser()
  const { pathname: address } = useLocation()
  const isGivenUp = useRef(false)
  const now = useRef(changes)
  now.current = changes
  const [offered, setOffered] = useState(() => {
    const mine = kept?.user === user && kept.address === address ? kept.changes : undefined
    if (mine) kept = undefined
    return mine
  })
  // Before the form's own parts go, while it can still be asked.
  useLayoutEffect(
    () => () => {
      const left = isGivenUp.current ? {} : now.current()
      if (Object.keys(left).length > 0) kept = { user, address, changes: left }
    },
    [user, address],
  )
  return {
    offered,
    settle: () => setOffered(undefined),
    giveUp: async () => {
      isGivenUp.current = true
    },
  }
}
