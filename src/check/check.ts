import fs from 'node:fs'
import path from 'node:path'
import type { Contract } from '../contract/contract.ts'
import type { Problem } from '../contract/locate.ts'
import { lookupSourceProblems, missingComponents, readCodeNames } from './files/codeNames.ts'
import { generatedFiles } from './generateFiles.ts'
import { loadContract } from './load.ts'
import { undescribedKeys } from './reference/metaSchemas.ts'
import { columnProblems } from './rules/columns.ts'
import { ownCallProblems } from './rules/ownCalls.ts'

/**
 * Checks the contract below a folder together with what depends on it: the names in the code and in the SQL, the
 * generated files and the list of calls for the tests. The handlers are those of the code, not of the generated list, which can be old.
 */
export async function checkContract(root: string): Promise<{ contract: Contract; problems: Problem[] }> {
  const { contract, problems } = loadContract(root, readCodeNames(root).handlers)
  if (problems.length === 0) problems.push(...undescribedKeys(root), ...missingComponents(root))
  if (problems.length > 0) return { contract, problems }
  return {
    contract,
    problems: [
      ...(await outdatedFiles(root)),
      ...ownCallProblems(root, contract),
      ...columnProblems(root, contract),
      ...lookupSourceProblems(root, contract),
    ],
  }
}

async function outdatedFiles(root: string): Promise<Problem[]> {
  const files = Object.entries(await generatedFiles(root))
  const textOf = (file: string) =>
    fs.existsSync(path.join(root, file)) ? fs.readFileSync(path.join(root, file), 'utf8') : ''
  return files
    .filter(([file, text]) => textOf(file) !== text)
    .map(([file]) => ({ file, line: 1, column: 1, message: "is out of date; run 'npm run generate'" }))
}
