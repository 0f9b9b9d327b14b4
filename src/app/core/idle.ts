import { INACTIVITY_MS, PING_THROTTLE_MS } from '../../contract/limits.ts'

/** Time in ms from the warning to the end of the session. */
export const WARNING = 120_000

const SECOND = 1000

/** Milliseconds until the session expires; 0 when it has. */
export function leftOf(lastResponse: number, now: number): number {
  return Math.max(0, lastResponse + INACTIVITY_MS - now)
}

/** The seconds left for screen readers: in steps of 15, and each second in the last twenty. */
export function announcedSeconds(left: number): number {
  const seconds = Math.ceil(left / SECOND)
  return seconds <= 20 ? seconds : Math.ceil(seconds / 15) * 15
}

/**
 * Watches the time since the last response of any tab. `show` gets the milliseconds left, each second from the warning
 * on, and undefined after a response; `end` is called once. Returns `check`, to call when the tab wakes, and `stop`.
 */
export function watchIdle(hooks: {
  lastResponse: () => number
  show: (left: number | undefined) => void
  end: () => void
}): { check: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let showing = false
  let ended = false
  const check = () => {
    clearTimeout(timer)
    if (ended) return
    // Timers pause while the machine sleeps, so compare with the clock.
    const left = leftOf(hooks.lastResponse(), Date.now())
    if (left === 0) {
      ended = true
      hooks.end()
      return
    }
    if (left <= WARNING || showing) hooks.show(left <= WARNING ? left : undefined)
    showing = left <= WARNING
    timer = setTimeout(check, showing ? left % SECOND || SECOND : left - WARNING)
  }
  check()
  return { check, stop: () => clearTimeout(timer) }
}

/**
 * Sends a ping on input, throttled to one per PING_THROTTLE_MS: at once if the last one is older, otherwise when that
 * time has passed. Tabs share the time of the last ping through `lastPing` and `pinged`.
 */
export function throttlePing(hooks: {
  lastPing: () => number
  pinged: (at: number) => void
  send: () => void
}): {
  input: () => void
  stop: () => void
} {
  let timer: ReturnType<typeof setTimeout> | undefined
  const ping = () => {
    timer = undefined
    const wait = hooks.lastPing() + PING_THROTTLE_MS - Date.now()
    // Another tab has pinged.
    if (wait > 0) {
      timer = setTimeout(ping, wait)
      return
    }
    hooks.pinged(Date.now())
    hooks.send()
  }
  return {
    input: () => {
      if (timer === undefined) ping()
    },
    stop: () => clearTimeout(timer),
  }
}
