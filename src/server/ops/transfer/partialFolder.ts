import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartProblem } from '../../core/startProblem.ts'

/** End of the name of a folder that is being written, or was when its writer was killed. */
export const PARTIAL = '.partial'

/**
 * Fills a new folder that only the owner can read. It gets its name once everything is on the disk, so that a folder
 * of that name is complete; if the work fails, nothing remains.
 */
export async function fillFolder<T>(folder: string, fill: (partial: string) => Promise<T>): Promise<T> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new StartProblem(`${folder} is not empty. Name a folder that is not there yet.`)
  const partial = folder + PARTIAL
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
  mkdirSync(partial, { mode: 0o700 })
  try {
    const result = await fill(partial)
    await syncFolder(partial)
    if (existsSync(folder)) rmdirSync(folder)
    renameSync(partial, folder)
    await syncFolder(dirname(folder))
    return result
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw error
  }
}

/** Without this a power cut could undo the names of files. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
