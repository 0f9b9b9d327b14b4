import { useSyncExternalStore } from 'react'
import { type Notice, subscribeToNotices } from '../../engine/runtime/notices.ts'
import { currentSession, subscribeToSession } from '../signIn/session.ts'

const MOST = 50

/** A notice and when it came. */
export interface Message extends Notice {
  id: number
  at: Date
}

let messages: Message[] = []
let last = 0
const listeners = new Set<() => void>()

function change(next: Message[]): void {
  messages = next
  for (const listener of listeners) listener()
}

subscribeToNotices((notice) => {
  last += 1
  change([{ ...notice, id: last, at: new Date() }, ...messages].slice(0, MOST))
})

// What was said to one person is not for the next.
subscribeToSession(() => {
  if (!currentSession().user && messages.length > 0) change([])
})

/** What the person was told since the page was opened, the newest first. */
export function useMessageLog(): Message[] {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, currentMessages)
}

/** The same at this moment. */
export function currentMessages(): Message[] {
  return messages
}
