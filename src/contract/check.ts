import fs from 'node:fs'
import path from 'node:path'
import { generatedFiles } from './generateFiles.ts'
import { loadContract } from './load.ts'
import { printProblem } from './locate.ts'
import { undescribedKeys } from './reference/metaSchemas.ts'

const root = process.cwd()
const started = performance.now()
export const { contract, problems } = loadContract(root)
if (problems.length === 0) problems.push(...undescribedKeys(root))
const took = Math.round(performance.now() - started)
for (const problem of problems) console.error(printProblem(problem))
if (problems.length === 0) {
  for (const [file, text] of Object.entries(await generatedFiles(root))) {
    const there = fs.existsSync(path.join(root, file)) ? fs.readFileSync(path.join(root, file), 'utf8') : ''
    if (there === text) continue
    console.error(`${file}:1:1  is out of date; run 'npm run generate'`)
    process.exitCode = 1
  }
  const count = (of: object) => Object.keys(of).length
  const { entities, endpoints, lookups, screens } = contract
  console.log(
    `${count(entities)} entities, ${count(endpoints)} endpoints, ${count(lookups)} lookups, ${count(screens)} screens: all good (${took} ms)`,
  )
} else process.exitCode = 1
