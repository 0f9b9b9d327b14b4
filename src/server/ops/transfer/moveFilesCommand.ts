import { openDatabase } from '../../core/db.ts'
import { StartProblem } from '../../core/startProblem.ts'
import { LONG_TIMEOUT_MS, openStorage } from '../../records/files/storage.ts'
import { claimStorage } from '../command/claimStorage.ts'
import { settingsOrRefuse } from '../command/settingsOrRefuse.ts'
import { withClient } from '../command/withClient.ts'
import { withDatabase } from '../command/withDatabase.ts'
import { refusePending } from '../migrate/migrate.ts'
import { type Direction, type Moved, moveFiles } from './moveFiles.ts'

const USAGE = `npm run move-files -- to-storage
Moves the contents of all files from the database into the object storage of FILES_URL.

npm run move-files -- to-database
Moves them back, before FILES_URL is taken away.

People may go on working meanwhile. It may be ended at any moment and be run again; each content is compared before it is removed where it was.`

const DIRECTIONS: string[] = ['to-storage', 'to-database']
/** Milliseconds between two progress lines. */
const PROGRESS_INTERVAL_MS = 2000

async function main(): Promise<void> {
  const [direction, ...more] = process.argv.slice(2)
  if (!DIRECTIONS.includes(direction) || more.length > 0) {
    console.log(USAGE)
    process.exitCode = direction === '--help' || direction === '-h' ? 0 : 1
    return
  }
  const settings = settingsOrRefuse()
  const { FILES_URL } = settings
  if (!FILES_URL)
    throw new StartProblem('Set FILES_URL to the object storage that files are moved to or from.')
  const moved = await withDatabase(settings, 'shared', async (url) => {
    await refusePending(url)
    await claim(FILES_URL, url)
    const storage = await openStorage(FILES_URL, LONG_TIMEOUT_MS)
    return await withClient(url, 'move-files', (client) =>
      moveFiles({ client, storage }, direction as Direction, printProgress()),
    )
  })
  console.log(`Moved ${inWords(moved)} ${direction.replace('-', ' the ')}.`)
  if (moved.damaged.length === 0) return
  console.error(
    `The contents of ${moved.damaged.length} files are missing or are not as they were saved, and were left: files ${moved.damaged.join(', ')}.`,
  )
  process.exitCode = 1
}

async function claim(filesUrl: string, databaseUrl: string): Promise<void> {
  const { db, close } = openDatabase(databaseUrl)
  await claimStorage(filesUrl, db).finally(close)
}

function printProgress(): (moved: Moved, total: number) => void {
  let printedAt = Date.now()
  return (moved, total) => {
    if (Date.now() - printedAt < PROGRESS_INTERVAL_MS) return
    printedAt = Date.now()
    console.log(`${inWords(moved)} of ${total.toLocaleString('en-GB')}`)
  }
}

function inWords({ files, bytes }: Moved): string {
  return `${files.toLocaleString('en-GB')} files (${(bytes / 1e6).toFixed(1)} MB)`
}

main().catch((error) => {
  const { code, message } = error as { code?: string; message: string }
  const words = error instanceof StartProblem ? message : `${message} (${code ?? 'no code'}).`
  console.error(
    `${words}${error instanceof StartProblem ? '' : ' What was moved so far is safe; run it again.'}`,
  )
  process.exit(1)
})
