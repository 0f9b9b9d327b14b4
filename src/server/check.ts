import fs from 'node:fs'
import { contract, problems } from '../contract/check.ts'
import { printProblem } from '../contract/locate.ts'
import { checkCaseTypes } from './demo/checkCaseTypes.ts'

/** What `npm run check` runs: the contract, and once that is right the case types that a new database has. */
const FILE = 'src/server/demo/case-types.json'
if (problems.length === 0) {
  const failures = checkCaseTypes(contract, FILE, fs.readFileSync(FILE, 'utf8'))
  for (const failure of failures) console.error(printProblem(failure))
  if (failures.length > 0) process.exitCode = 1
}
