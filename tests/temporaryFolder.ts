import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
/** Bytes that the folders of a whole run take at most. */
const ROOM = 2 ** 31

/** Where the folders of the tests stand: in memory where there is room, since PostgreSQL makes 300 files for a database. */
export const temporaryRoot = hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir()

/** The path of a new, empty folder; the caller removes it. */
export function temporaryFolder(prefix: string): string {
  return mkdtempSync(join(temporaryRoot, prefix))
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
