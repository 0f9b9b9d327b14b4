import { type Verified, verifyAccess } from '../access/accessRows.ts'
import { openDatabase } from '../core/db.ts'
import { StartProblem } from '../core/startProblem.ts'
import { settingsOrRefuse } from './command/settingsOrRefuse.ts'
import { withDatabase } from './command/withDatabase.ts'
import { refusePending } from './migrate/migrate.ts'

const USAGE = `npm run verify-access
Compares the rows that say who may see which client and case with the issues, cases and clients that they follow from, and prints how many differ. People may go on working meanwhile.

npm run verify-access -- --rebuild
Also brings those that differ up to date.`

async function main(): Promise<void> {
  const [option, ...more] = process.argv.slice(2)
  if ((option !== undefined && option !== '--rebuild') || more.length > 0) {
    console.log(USAGE)
    process.exitCode = option === '--help' || option === '-h' ? 0 : 1
    return
  }
  const rebuild = option === '--rebuild'
  const verified = await withDatabase(settingsOrRefuse(), 'shared', (url) => verify(url, rebuild))
  console.log(inWords(verified, rebuild))
  if (verified.differing > 0 && !rebuild) process.exitCode = 1
}

async function verify(url: string, rebuild: boolean): Promise<Verified> {
  await refusePending(url)
  const { slow, close } = openDatabase(url)
  return await verifyAccess(slow, { rebuild }).finally(close)
}

function inWords({ clients, differing }: Verified, isRebuilt: boolean): string {
  const [people, rows] = [clients, differing].map((n) => n.toLocaleString('en-GB'))
  if (differing === 0) return `The access rows of all ${people} clients are right.`
  return `${rows} rows of ${people} clients differed${isRebuilt ? ' and were rebuilt' : '; --rebuild brings them up to date'}.`
}

main().catch((error) => {
  console.error(error instanceof StartProblem ? error.message : error)
  process.exit(1)
})
