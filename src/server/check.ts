import fs from 'node:fs'
import path from 'node:path'
import { checkContract } from '../contract/check.ts'
import { type Problem, printProblem } from '../contract/locate.ts'
import { checkCaseTypes } from './demo/checkCaseTypes.ts'
import { migrationProblems, readSqlFiles, viewProblems } from './migrate/migrationFiles.ts'

// `npm run check`: validates the contract, the SQL files and the case types of a new database.
const CASE_TYPES = 'src/server/demo/case-types.json'

const root = process.cwd()
const started = performance.now()
const { contract, problems } = await checkContract(root)
problems.push(...sqlProblems())
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

function sqlProblems(): Problem[] {
  const filesOf = (folder: string) => readSqlFiles(path.join(root, 'src/server', folder))
  return [...migrationProblems(filesOf('migrations')), ...viewProblems(filesOf('views'))]
}
