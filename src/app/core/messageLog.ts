import { useSyncExternalStore } from 'react'
import { type Notice, subscribeToNotices } from '../../engine/core/notices.ts'
import { currentSession, subscribeToSession } from './session.ts'

const MAX_MESSAGES = 50

/** A notice and the time when it was emitted. */
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
  change([{ ...notice, id: last, at: new Date() }, ...messages].slice(0, MAX_MESSAGES))
})

// Clear the log at sign-out, so that the next user does not see it.
subscribeToSession(() => {
  if (!currentSession().user && messages.length > 0) change([])
})

/** The notices since the page was opened, newest first. */
export function useMessageLog(): Message[] {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, currentMessages)
}

/** The same without a subscription. */
export function currentMessages(): Message[] {
  return messages
}
