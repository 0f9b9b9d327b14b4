import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadContract } from '../../../check/load.ts'
import { printProblem } from '../../../contract/locate.ts'
import { openDatabase } from '../../core/db.ts'
import { StartProblem } from '../../core/startProblem.ts'
import { settingsOrRefuse } from '../command/settingsOrRefuse.ts'
import { withDatabase } from '../command/withDatabase.ts'
import { readTables } from './compareEntities.ts'
import { migrateOrRefuse } from './migrateOrRefuse.ts'
import { readSqlFiles } from './migrationFiles.ts'
import { HASHES, readHashes, withNewHashes } from './migrationHashes.ts'
import { newMigration } from './newMigration.ts'

const USAGE = `npm run migration -- NAME
Writes the next migration, with what schemas/entities have and the tables of the database of DATA_DIR or DATABASE_URL lack, and its hash. NAME says what it is for, such as occupation_of_clients.`
const FOLDER = 'src/server/ops/migrations'

async function main(): Promise<void> {
  const [name = '', ...others] = process.argv.slice(2)
  if (others.length > 0 || !/^[a-z][a-z0-9_]*$/.test(name)) {
    console.log(USAGE)
    process.exitCode = ['--help', '-h'].includes(name) ? 0 : 1
    return
  }
  const text = await withDatabase(settingsOrRefuse(), 'shared', (url) => migrationFor(url))
  if (!text)
    throw new StartProblem(
      `The tables have a column for every field of schemas/entities. Write other changes by hand, into ${FOLDER}/${nextNumber()}_${name}.sql.`,
    )
  const file = `${FOLDER}/${nextNumber()}_${name}.sql`
  writeFileSync(file, text, { flag: 'wx' })
  writeFileSync(join(FOLDER, HASHES), withNewHashes(readSqlFiles(FOLDER), readHashes(FOLDER)))
  console.log(`${file}:\n${text}\nIts hash is in ${FOLDER}/${HASHES}. The next start applies it.`)
}

/** The migration that a database needs for the contract, once it has had all earlier ones. */
async function migrationFor(url: string): Promise<string | undefined> {
  const { contract, problems } = loadContract(process.cwd())
  if (problems.length > 0) throw new StartProblem(problems.map(printProblem).join('\n'))
  await migrateOrRefuse(url, { mayChange: false })
  const { db, close } = openDatabase(url)
  try {
    return newMigration(contract, await readTables(db))
  } finally {
    await close()
  }
}

function nextNumber(): string {
  const numbers = readSqlFiles(FOLDER).map(({ name }) => Number(name.slice(0, 3)))
  return String(Math.max(0, ...numbers) + 1).padStart(3, '0')
}

main().catch((error) => {
  console.error(error instanceof StartProblem ? error.message : error)
  process.exit(1)
})
