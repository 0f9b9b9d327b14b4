import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Settings } from '../../core/settings.ts'
import { StartProblem } from '../../core/startProblem.ts'
import { withClient } from '../command/withClient.ts'
import { refuseFullDisk } from '../transfer/diskSpace.ts'
import { recipientsOf } from '../transfer/encryption.ts'
import { EXPORTING, type ExportOptions, exportData } from '../transfer/exportData.ts'
import { bytesOf, type Manifest, readManifest } from '../transfer/manifest.ts'
import { PARTIAL } from '../transfer/partialFolder.ts'
import { type Backup, backupName, backupsIn, deleteBackup, partialBackupsIn } from './backupFolder.ts'
import { expiredBackups } from './retention.ts'

type BackupSettings = Pick<Settings, 'BACKUP_DIR' | 'BACKUP_RECIPIENT' | 'FILES_URL' | 'TIME_ZONE'>

interface BackupOptions extends Pick<ExportOptions, 'progress' | 'signal'> {
  /** Free bytes on the disk of a folder. */
  freeOf?: (folder: string) => Promise<number | undefined>
  now?: Date
}

interface Made {
  folder: string
  manifest: Manifest
  /** Names of the older backups that were deleted. */
  deleted: string[]
}

/** Factor by which a backup may be larger than the last one of a database of the same size. */
const MARGIN = 1.1

/**
 * Writes a backup into BACKUP_DIR and deletes the expired ones. Throws a StartProblem if the disk has too little space,
 * and then deletes none.
 */
export async function backUp(
  url: string,
  { BACKUP_DIR, BACKUP_RECIPIENT, FILES_URL, TIME_ZONE }: BackupSettings,
  { progress, signal, freeOf, now = new Date() }: BackupOptions = {},
): Promise<Made> {
  if (!BACKUP_DIR) throw new StartProblem('Set BACKUP_DIR to the folder that backups are written into.')
  const all = resolve(BACKUP_DIR)
  mkdirSync(all, { recursive: true, mode: 0o700 })
  await removeLeftOvers(url, all)
  const [last] = backupsIn(all)
  const folder = join(all, backupName(now))
  const manifest = await exportData(url, folder, {
    filesUrl: FILES_URL,
    recipients: recipientsOf(BACKUP_RECIPIENT),
    progress,
    signal,
    check: (sourceBytes) => refuseFullDisk(all, expectedBytes(sourceBytes, last), 'the backup', freeOf),
  })
  return { folder, manifest, deleted: await deleteExpired(all, TIME_ZONE) }
}

/** By the last backup, whose rows compress as well; without one the size of the database itself. */
function expectedBytes(sourceBytes: number, last?: Backup): number {
  if (!last) return sourceBytes
  try {
    const manifest = readManifest(last.folder)
    return (bytesOf(manifest) / manifest.sourceBytes) * sourceBytes * MARGIN
  } catch {
    return sourceBytes
  }
}

/** Removes backups whose writer was killed: the connection of one that is running is named after it. */
async function removeLeftOvers(url: string, folder: string): Promise<void> {
  const partial = partialBackupsIn(folder)
  if (partial.length === 0) return
  const running = await withClient(url, 'backups', (client) =>
    client.query<{ name: string }>('select application_name as name from pg_stat_activity'),
  )
  const names = running.rows.map(({ name }) => name)
  for (const name of partial)
    if (!names.includes(`${EXPORTING} ${name}`))
      await rm(join(folder, name + PARTIAL), { recursive: true, force: true })
}

async function deleteExpired(folder: string, timeZone: string): Promise<string[]> {
  const backups = backupsIn(folder)
  const expired = expiredBackups(
    backups.map(({ at }) => at),
    timeZone,
  )
  const old = backups.filter(({ at }) => expired.includes(at))
  for (const backup of old) await deleteBackup(backup)
  return old.map(({ name }) => name)
}
