import { resolve } from 'node:path'
import { settingsOrRefuse } from '../start/settingsOrRefuse.ts'
import { StartProblem } from '../start/startProblem.ts'
import { withDatabase } from '../start/withDatabase.ts'
import { exportData } from './exportData.ts'
import { importData } from './importData.ts'

const USAGE = `npm run export-data -- FOLDER
Writes all rows of the database of DATA_DIR or DATABASE_URL into a new folder, with the files of FILES_URL. Keep it as safe as the database.

npm run import-data -- FOLDER
Fills the empty database of DATA_DIR or DATABASE_URL with such a folder, written by the same release.`

async function main(): Promise<void> {
  const [what, folder, ...more] = process.argv.slice(2)
  if (!folder || folder.startsWith('-') || more.length > 0) {
    console.log(USAGE)
    process.exitCode = folder === '--help' || folder === '-h' ? 0 : 1
    return
  }
  const settings = settingsOrRefuse()
  const { tables, at } = await withDatabase(settings, (url) =>
    what === 'export'
      ? exportData(url, resolve(folder), settings.FILES_URL)
      : importData(url, resolve(folder)),
  )
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(`${tables.length} tables with ${rows.toLocaleString('en-GB')} rows, as of ${at}.`)
}

main().catch((error) => {
  console.error(error instanceof StartProblem ? error.message : error)
  process.exit(1)
})
