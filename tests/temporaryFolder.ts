import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
/** Bytes that the folders of a whole run take at most. */
const ROOM = 2 ** 31
/** Environment variable with the folder of a run, which its workers inherit. */
const RUN_FOLDER = 'TESTS_FOLDER'

/** Where the folders of runs stand: in memory where there is room, since PostgreSQL makes 300 files for a database. */
export const temporaryRoot = hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir()
/** Begins the name of the folder of a run, which ends with the id of its process. */
export const RUN_PREFIX = 'advocacy-tests-'
/** The folder of the run whose main process this is. */
export const runFolder = join(temporaryRoot, `${RUN_PREFIX}${process.pid}`)

/** Makes the folder that has all others of this run, and removes it with all that is in it when the process ends. */
export function makeRunFolder(): void {
  // The configuration is read once for each project.
  if (process.env[RUN_FOLDER] === runFolder) return
  mkdirSync(runFolder)
  // Other accounts, which a database server may run as, pass through it.
  chmodSync(runFolder, 0o711)
  process.env[RUN_FOLDER] = runFolder
  process.once('exit', () => rmSync(runFolder, { recursive: true, force: true }))
}

/** The path of a new, empty folder, which is removed at the end of the run. */
export function temporaryFolder(prefix: string): string {
  return mkdtempSync(join(process.env[RUN_FOLDER] ?? temporaryRoot, prefix))
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > ROOM
  } catch {
    return false
  }
}
