import { CanceledError, isAxiosError } from 'axios'
import { useCallback, useEffect, useRef, useState } from 'react'
import { checkConnection, isReachable, subscribeToConnection } from './connection.ts'
import { isUnanswered } from './http.ts'
import { notify } from './notices.ts'

/** The server forgets an idempotency key after this time, so a repeat could be saved twice. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1000
/** A request is given up after the connection has been gone for this time. */
const GIVEN_UP_AFTER_MS = 1000
/** While a request has no reply, the connection is probed at this interval. */
const DOUBT_AFTER_MS = 2000
/** Attempts without a reply after which a server that replies to probes is not tried again. */
const MAX_ATTEMPTS = 4

/** A save that waits for the connection, or for its person to sign in again. */
export interface WaitingSave {
  /** True if a request was sent and got no reply. */
  mayHaveArrived: boolean
  cancel: () => void
}

// Only in this page's memory: what people write about people is never stored on the device.
const waiting = new Set<object>()
const wakers = new Set<() => void>()
let sender: number | undefined

/** Sets the person who is signed in; saves of anybody else are not sent. */
export function setSender(user: number | undefined): void {
  if (sender === user) return
  sender = user
  for (const wake of [...wakers]) wake()
}

/** True while a save waits. */
export function hasWaitingSaves(): boolean {
  return waiting.size > 0
}

interface Waiting {
  /** Aborted when the person cancels. */
  signal: AbortSignal
  /** Called when the save begins to wait, and with undefined when it is sent again or has ended. */
  onWaiting: (save: Omit<WaitingSave, 'cancel'> | undefined) => void
}

/**
 * Makes a call; without a connection it waits, and is made again once the server can be reached: `attempt` must send
 * the same idempotency key and version each time. Rejects with a CanceledError if the person cancelled it, and after
 * MAX_WAIT_MS.
 */
export async function sendOrWait<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  { signal, onWaiting }: Waiting,
): Promise<T> {
  const [person, since, entry] = [sender, Date.now(), {}]
  const isSendable = () => isReachable() && sender === person
  let mayHaveArrived = false
  let hasWaited = false
  try {
    for (let attempts = 1; ; attempts += 1) {
      if (!isSendable()) {
        hasWaited = true
        waiting.add(entry)
        onWaiting({ mayHaveArrived })
        await until(() => isSendable() || (sender !== undefined && sender !== person), signal)
        onWaiting(undefined)
      }
      if (signal.aborted || sender !== person) throw new CanceledError()
      if (Date.now() - since > MAX_WAIT_MS) {
        notify({ kind: 'error', title: 'Not saved', text: WAITED_TOO_LONG })
        throw new CanceledError()
      }
      try {
        const reply = await attemptWhileReachable(attempt, signal)
        if (hasWaited) notify({ kind: 'success', text: 'The connection is back: what was waiting is sent' })
        return reply
      } catch (error) {
        if (signal.aborted) {
          mayHaveArrived = true
          throw new CanceledError()
        }
        if (hasWaited && isSessionEnd(error)) continue
        if (!isUnanswered(error) && !isGivenUp(error)) throw error
        mayHaveArrived = true
        if (attempts >= MAX_ATTEMPTS && isUnanswered(error)) throw notified(error)
      }
    }
  } finally {
    waiting.delete(entry)
    onWaiting(undefined)
    if (signal.aborted) notifyOfCancel(mayHaveArrived)
  }
}

const WAITED_TOO_LONG =
  'It waited for more than a day and was not sent. Check what you typed, and whether it has arrived, then save it again.'

function notifyOfCancel(mayHaveArrived: boolean): void {
  notify(
    mayHaveArrived
      ? {
          kind: 'warning',
          title: 'Cancelled',
          text: 'It had already been sent, and may have arrived. Look at the record once the connection is back.',
        }
      : { kind: 'success', text: 'Cancelled: nothing was sent' },
  )
}

function notified<T>(error: T): T {
  notify({
    kind: 'error',
    title: 'Not saved',
    text: 'The server did not answer. It may have arrived: if you save it again without changes, it is saved only once.',
  })
  return error
}

const GIVEN_UP = 'givenUp'
const isGivenUp = (error: unknown) => error === GIVEN_UP

/** True if the session had ended: the page stays covered until the person signs in again. */
function isSessionEnd(error: unknown): boolean {
  return isAxiosError(error) && error.response?.status === 401 && sender === undefined
}

/** Makes a call; throws GIVEN_UP once the connection has been gone for a moment, because no reply can come then. */
async function attemptWhileReachable<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const cut = new AbortController()
  const abort = () => cut.abort()
  signal.addEventListener('abort', abort)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isGone = false
  const onConnection = () => {
    clearTimeout(timer)
    if (isReachable()) return
    timer = setTimeout(() => {
      isGone = true
      abort()
    }, GIVEN_UP_AFTER_MS)
  }
  const unsubscribe = subscribeToConnection(onConnection)
  const doubt = setInterval(() => isReachable() && checkConnection(), DOUBT_AFTER_MS)
  try {
    return await attempt(cut.signal)
  } catch (error) {
    throw isGone && !signal.aborted ? GIVEN_UP : error
  } finally {
    clearTimeout(timer)
    clearInterval(doubt)
    unsubscribe()
    signal.removeEventListener('abort', abort)
  }
}

/** Resolves once a condition on the connection and the session holds, or the signal is aborted. */
function until(isTrue: () => boolean, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!isTrue() && !signal.aborted) return
      unsubscribe()
      wakers.delete(check)
      signal.removeEventListener('abort', check)
      resolve()
    }
    const unsubscribe = subscribeToConnection(check)
    wakers.add(check)
    signal.addEventListener('abort', check)
    check()
  })
}

/** `sendOrWait` for a component: the save that waits, to be shown beside its button; leaving the component cancels it. */
export function useWaitingSave() {
  const [save, setSave] = useState<WaitingSave>()
  const running = useRef<AbortController>(undefined)
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
      // Only what waits is cancelled: a request on its way arrives, also after its page was left.
      if (isWaiting.current) running.current?.abort()
    }
  }, [])
  const isWaiting = useRef(false)
  const send = useCallback(<T>(attempt: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const controller = new AbortController()
    running.current = controller
    const cancel = () => controller.abort()
    return sendOrWait(attempt, {
      signal: controller.signal,
      onWaiting: (state) => {
        isWaiting.current = state !== undefined
        if (isMounted.current) setSave(state && { ...state, cancel })
      },
    })
  }, [])
  return { waiting: save, send }
}
