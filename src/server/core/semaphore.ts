import { problem } from './problems.ts'

interface Limits {
  /** Maximum number of functions that run at the same time. */
  concurrency: number
  /** Maximum number that wait. */
  queueLimit: number
  /** Maximum wait of one of them. */
  timeoutMs: number
}
/** Runs a function once a slot is free. */
type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Limits how many functions run at the same time; others wait, and throw a 503 if the queue is full or the wait too
 * long.
 */
export function makeSemaphore({ concurrency, queueLimit, timeoutMs }: Limits): Semaphore {
  let running = 0
  const waiting: (() => void)[] = []
  const acquire = () =>
    new Promise<void>((resolve, reject) => {
      if (running < concurrency) {
        running++
        return resolve()
      }
      if (waiting.length >= queueLimit) return reject(problem('busy'))
      const onTimeout = () => {
        waiting.splice(waiting.indexOf(start), 1)
        reject(problem('busy'))
      }
      const timer = setTimeout(onTimeout, timeoutMs)
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      waiting.push(start)
    })
  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
  return async (work) => {
    await acquire()
    try {
      return await work()
    } finally {
      release()
    }
  }
}
