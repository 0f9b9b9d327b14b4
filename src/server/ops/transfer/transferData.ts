import { resolve } from 'node:path'
import { StartProblem } from '../../core/startProblem.ts'
import { settingsOrRefuse } from '../command/settingsOrRefuse.ts'
import { withDatabase } from '../command/withDatabase.ts'
import { exportData } from './exportData.ts'
import { importData } from './importData.ts'
import type { Manifest } from './manifest.ts'
import { recordRun } from './recordRun.ts'

const USAGE = `npm run export-data -- FOLDER
Writes all rows of the database of DATA_DIR or DATABASE_URL into a new folder, with the files of FILES_URL; the product may be running. Keep it as safe as the database.

npm run import-data -- FOLDER
Fills the empty database of DATA_DIR or DATABASE_URL with such a folder or a backup, written by the same release. BACKUP_IDENTITY_FILE names the key of an encrypted one.`

async function main(): Promise<void> {
  const [what, folder, ...more] = process.argv.slice(2)
  if (!folder || folder.startsWith('-') || more.length > 0) {
    console.log(USAGE)
    process.exitCode = folder === '--help' || folder === '-h' ? 0 : 1
    return
  }
  const settings = settingsOrRefuse()
  const { tables, at } =
    what === 'export'
      ? await withDatabase(settings, 'shared', (url) =>
          exportAsBackup(url, resolve(folder), settings.FILES_URL),
        )
      : await withDatabase(settings, 'exclusive', (url) =>
          importData(url, resolve(folder), settings.BACKUP_IDENTITY),
        )
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(`${tables.length} tables with ${rows.toLocaleString('en-GB')} rows, as of ${at}.`)
}

/** Exports for the health page too, which shows the last backup. */
async function exportAsBackup(url: string, folder: string, filesUrl: string): Promise<Manifest> {
  const manifest = await recordRun(url, { name: 'backup' }, () => exportData(url, folder, { filesUrl }))
  return manifest!
}

main().catch((error) => {
  console.error(error instanceof StartProblem ? error.message : error)
  process.exit(1)
})
