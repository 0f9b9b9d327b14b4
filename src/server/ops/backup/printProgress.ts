import { sizeInWords } from '../transfer/diskSpace.ts'
import type { Progress } from '../transfer/progress.ts'

/** Milliseconds between two progress lines. */
const PROGRESS_INTERVAL_MS = 2000

/** Prints progress to the console every two seconds. */
export function printProgress(): (progress: Progress) => void {
  let printedAt = Date.now()
  return ({ percent, table, bytes }) => {
    if (Date.now() - printedAt < PROGRESS_INTERVAL_MS) return
    printedAt = Date.now()
    console.log(`${String(percent).padStart(3)} %  ${sizeInWords(bytes).padStart(10)}  ${table}`)
  }
}
