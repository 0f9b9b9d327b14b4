import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Settings } from '../../core/settings.ts'
import { StartProblem } from '../../core/startProblem.ts'
import { settingsOrRefuse } from '../command/settingsOrRefuse.ts'
import { withDatabase } from '../command/withDatabase.ts'
import { sizeInWords } from '../transfer/diskSpace.ts'
import { bytesOf } from '../transfer/manifest.ts'
import { recordRun } from '../transfer/recordRun.ts'
import { backupsIn } from './backupFolder.ts'
import { printProgress } from './printProgress.ts'
import { verifyBackup } from './verifyBackup.ts'

const USAGE = `npm run verify-backup -- [FOLDER]
Restores the last backup of BACKUP_DIR, or that of the folder, into a throw-away database below the folder of TMPDIR, and compares the rows of each table and the contents of files with what was written. BACKUP_IDENTITY_FILE names the secret key of an encrypted one. Health then shows when a backup was last verified.`

class Differs extends StartProblem {
  code = 'differs'
}

async function main(): Promise<void> {
  const [named, ...more] = process.argv.slice(2)
  if (named?.startsWith('-') || more.length > 0) {
    console.log(USAGE)
    process.exitCode = named === '--help' || named === '-h' ? 0 : 1
    return
  }
  const settings = settingsOrRefuse()
  const folder = named ? resolve(named) : lastIn(settings)
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort())
  await recorded(settings, async () => {
    const began = performance.now()
    const { manifest, files, fileBytes, differences } = await verifyBackup(folder, {
      identity: settings.BACKUP_IDENTITY,
      progress: printProgress(),
      signal: ending.signal,
    })
    if (differences.length > 0)
      throw new Differs(`${folder} differs from what was written:\n${differences.join('\n')}`)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    console.log(
      `${folder} is whole: ${manifest.tables.length} tables with ${rows.toLocaleString('en-GB')} rows and ` +
        `${files.toLocaleString('en-GB')} files (${sizeInWords(fileBytes)}) were restored from ` +
        `${sizeInWords(bytesOf(manifest))} and compared, as of ${manifest.at}, in ${seconds} s.`,
    )
  })
}

function lastIn({ BACKUP_DIR }: Settings): string {
  if (!BACKUP_DIR) throw new StartProblem('Set BACKUP_DIR, or name the folder of a backup.')
  const [last] = backupsIn(resolve(BACKUP_DIR))
  if (!last) throw new StartProblem(`There is no complete backup in ${resolve(BACKUP_DIR)}.`)
  return last.folder
}

/** Records the verification in the product's database if it can be reached; verifying does not need it. */
async function recorded(settings: Settings, verify: () => Promise<void>): Promise<void> {
  let hasBegun = false
  const once = () => {
    hasBegun = true
    return verify()
  }
  const { DATABASE_URL, DATA_DIR } = settings
  // A machine without the product gets no database of it.
  if (!DATABASE_URL && !existsSync(join(DATA_DIR, 'postgres'))) return await verify()
  try {
    await withDatabase(settings, 'shared', (url) => recordRun(url, { name: 'verify backup' }, once))
  } catch (error) {
    if (hasBegun) throw error
    console.warn('The database of the product cannot be reached, so Health will not show this verification.')
    await verify()
  }
}

main().catch((error) => {
  if (error?.name === 'AbortError') console.error('Stopped. The backup was not verified.')
  else console.error(error instanceof StartProblem ? error.message : error)
  process.exit(1)
})
