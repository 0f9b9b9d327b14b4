import fs from 'node:fs'
import path from 'node:path'
import { checkContract } from '../../check/check.ts'
import { type Problem, printProblem } from '../../contract/locate.ts'
import { checkCaseTypes } from './demo/checkCaseTypes.ts'
import { migrationProblems, readSqlFiles, viewProblems } from './migrate/migrationFiles.ts'
import { hashProblems, readHashes } from './migrate/migrationHashes.ts'
import { stoppingStatements } from './migrate/stoppingStatements.ts'

// `npm run check`: validates the contract, the SQL files and the case types of a new database.
const CASE_TYPES = 'src/server/ops/demo/case-types.json'

const root = process.cwd()
const started = performance.now()
const { contract, problems } = await checkContract(root)
problems.push(...(await sqlProblems()))
// The case types need a valid contract.
if (problems.length === 0)
  problems.push(...checkCaseTypes(contract, CASE_TYPES, fs.readFileSync(CASE_TYPES, 'utf8')))
for (const problem of problems) console.error(printProblem(problem))
if (problems.length > 0) {
  console.error('Types and style are checked once nothing is wrong here.')
  process.exitCode = 1
} else {
  const count = (of: object) => Object.keys(of).length
  const { entities, endpoints, lookups, screens } = contract
  const took = Math.round(performance.now() - started)
  console.log(
    `${count(entities)} entities, ${count(endpoints)} endpoints, ${count(lookups)} lookups, ${count(screens)} screens: all good (${took} ms)`,
  )
}

async function sqlProblems(): Promise<Problem[]> {
  const folder = path.join(root, 'src/server/ops/migrations')
  const migrations = readSqlFiles(folder)
  const problems = migrationProblems(migrations)
  return [
    ...problems,
    ...hashProblems(migrations, readHashes(folder)),
    // Steps can only be read where nothing else is wrong.
    ...(problems.length === 0 ? await stoppingStatements(migrations) : []),
    ...viewProblems(readSqlFiles(path.join(root, 'src/server/ops/views'))),
  ]
}
