import { Worker } from 'node:worker_threads'
import { XLSX_PROGRAM } from './xlsxProgram.ts'

/** Limits of a thread, because a small file may unpack to a large one. */
interface ThreadLimits {
  milliseconds: number
  megabytes: number
}

/**
 * Runs code in a worker thread and returns its first message; undefined if it fails or exceeds its limits. `workerData`
 * of the code has `data`, and the path of the package xlsx.
 */
export function inThread<T>(code: string, data: object, bounds: ThreadLimits): Promise<T | undefined> {
  const worker = new Worker(code, {
    eval: true,
    workerData: { ...data, xlsx: XLSX_PROGRAM },
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
