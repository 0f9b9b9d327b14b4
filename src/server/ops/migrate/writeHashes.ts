import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSqlFiles } from './migrationFiles.ts'
import { HASHES, readHashes, withNewHashes } from './migrationHashes.ts'

// `npm run generate`: adds the hashes of new migrations.
const folder = join(process.cwd(), 'src/server/ops/migrations')
writeFileSync(join(folder, HASHES), withNewHashes(readSqlFiles(folder), readHashes(folder)))
console.log(`wrote src/server/ops/migrations/${HASHES}`)
