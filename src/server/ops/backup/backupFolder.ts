import { existsSync, readdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MANIFEST } from '../transfer/manifest.ts'
import { PARTIAL } from '../transfer/partialFolder.ts'

export interface Backup {
  name: string
  folder: string
  at: Date
}

const NAME = /^casework-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z$/

/** The name of a backup that begins now, which sorts by time and is a file name everywhere. */
export function backupName(at: Date): string {
  return `casework-${at.toISOString().replace(/\.\d+/, '').replaceAll(':', '-')}`
}

/** The complete backups of a folder, the newest first; nothing else that is in it. */
export function backupsIn(folder: string): Backup[] {
  return namesIn(folder)
    .filter((name) => NAME.test(name) && existsSync(join(folder, name, MANIFEST)))
    .map((name) => ({ name, folder: join(folder, name), at: new Date(name.replace(NAME, '$1T$2:$3:$4Z')) }))
    .sort((a, b) => b.at.getTime() - a.at.getTime())
}

/** Names of the backups that are being written, or whose writer was killed. */
export function partialBackupsIn(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(PARTIAL) && NAME.test(name.slice(0, -PARTIAL.length)))
    .map((name) => name.slice(0, -PARTIAL.length))
}

/** Deletes a backup. It is renamed first, so that a partly deleted one never counts as complete. */
export async function deleteBackup({ folder }: Backup): Promise<void> {
  await rename(folder, folder + PARTIAL)
  await rm(folder + PARTIAL, { recursive: true, force: true })
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
