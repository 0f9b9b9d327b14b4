import { problem } from './problems.ts'

interface Limits {
  /** How many works run at the same time. */
  most: number
  /** How many more may wait. */
  queue: number
  /** Milliseconds that one of them waits at most. */
  patience: number
}
/** Runs a work once there is room for it. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/** Bounds how many works run at the same time: others wait their turn, and get a 503 where the queue is full or their turn does not come. */
export function makeSemaphore({ most, queue, patience }: Limits): Semaphore {
  let running = 0
  const waiting: (() => void)[] = []
  const enter = () =>
    new Promise<void>((resolve, reject) => {
      if (running < most) {
        running++
        return resolve()
      }
      if (waiting.length >= queue) return reject(problem('busy'))
      const giveUp = () => {
        waiting.splice(waiting.indexOf(start), 1)
        reject(problem('busy'))
      }
      const timer = setTimeout(giveUp, patience)
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      waiting.push(start)
    })
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
