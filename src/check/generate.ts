import fs from 'node:fs'
import path from 'node:path'
import { generatedFiles } from './generateFiles.ts'

const root = process.cwd()
for (const [file, text] of Object.entries(await generatedFiles(root))) {
  fs.writeFileSync(path.join(root, file), text)
  console.log(`wrote ${file}`)
}
