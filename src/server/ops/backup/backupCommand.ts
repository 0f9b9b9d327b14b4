import { StartProblem } from '../../core/startProblem.ts'
import { settingsOrRefuse } from '../command/settingsOrRefuse.ts'
import { withDatabase } from '../command/withDatabase.ts'
import { sizeInWords } from '../transfer/diskSpace.ts'
import { bytesOf } from '../transfer/manifest.ts'
import { recordRun } from '../transfer/recordRun.ts'
import { backUp } from './backUp.ts'
import { printProgress } from './printProgress.ts'

const USAGE = `npm run backup
Writes a backup of the database of DATA_DIR or DATABASE_URL into BACKUP_DIR, with the files of FILES_URL, encrypted for BACKUP_RECIPIENT if it is given. The product may be running. Of the older ones it keeps the last of 7 days, 4 weeks and 12 months.`

async function main(): Promise<void> {
  if (process.argv.length > 2) {
    console.log(USAGE)
    process.exitCode = ['--help', '-h'].includes(process.argv[2]) ? 0 : 1
    return
  }
  const settings = settingsOrRefuse()
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort())
  const print = printProgress()
  const began = performance.now()
  const made = await withDatabase(settings, 'shared', (url) =>
    recordRun(url, { name: 'backup' }, (report) =>
      backUp(url, settings, {
        signal: ending.signal,
        progress: (progress) => {
          report(progress)
          print(progress)
        },
      }),
    ),
  )
  const { folder, manifest, deleted } = made!
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(
    `${folder}: ${manifest.tables.length} tables with ${rows.toLocaleString('en-GB')} rows, ` +
      `${sizeInWords(bytesOf(manifest))}${manifest.encrypted ? ', encrypted' : ''}, as of ${manifest.at}, in ${seconds} s.`,
  )
  if (deleted.length > 0) console.log(`Deleted as expired: ${deleted.join(', ')}.`)
}

main().catch((error) => {
  if (error?.name === 'AbortError')
    console.error('Stopped. What had been written of this backup was removed.')
  else console.error(error instanceof StartProblem ? error.message : error)
  process.exit(1)
})
