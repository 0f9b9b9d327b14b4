import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

/** Bounds of a thread: what a small file unpacks to may be large. */
interface Bounds {
  milliseconds: number
  megabytes: number
}

/**
 * Runs code in a thread of its own and answers what it posts; undefined where it fails or exceeds its bounds. The code
 * gets `workerData` with the path of the package xlsx besides what it is given.
 */
export function inThread<T>(code: string, data: object, bounds: Bounds): Promise<T | undefined> {
  const xlsx = createRequire(import.meta.url).resolve('xlsx')
  const worker = new Worker(code, {
    eval: true,
    workerData: { ...data, xlsx },
    resourceLimits: { maxOldGenerationSizeMb: bounds.megabytes },
  })
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(undefined), bounds.milliseconds)
    const finish = (posted: T | undefined) => {
      clearTimeout(timer)
      resolve(posted)
      void worker.terminate()
    }
    worker.once('message', finish)
    worker.once('error', () => finish(undefined))
    worker.once('exit', () => finish(undefined))
  })
}
