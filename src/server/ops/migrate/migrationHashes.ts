import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Problem } from '../../../contract/locate.ts'
import type { SqlFile } from './migrationFiles.ts'

/** In the format of sha256sum, so that `sha256sum -c SHA256SUMS` verifies it too. */
export const HASHES = 'SHA256SUMS'

/** Hashes of the migrations of a folder by name, as SHA256SUMS has them. */
export function readHashes(folder: string): Map<string, string> {
  const file = join(folder, HASHES)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  return new Map(lines.map((line) => [line.slice(66, -'.sql'.length), line.slice(0, 64)]))
}

/** The text of SHA256SUMS with lines for new migrations; lines that it has are never changed. */
export function withNewHashes(files: SqlFile[], hashes: Map<string, string>): string {
  const all = new Map([...files.map(({ name, hash }) => [name, hash] as const), ...hashes])
  return [...all.keys()]
    .sort()
    .map((name) => `${all.get(name)}  ${name}.sql\n`)
    .join('')
}

/** Migrations that were edited, removed or not listed: databases that had them before would differ from new ones. */
export function hashProblems(files: SqlFile[], hashes: Map<string, string>): Problem[] {
  const names = new Set(files.map(({ name }) => name))
  const messages = [
    ...files.flatMap(({ name, path, hash }) => {
      const before = hashes.get(name)
      if (before === hash) return []
      const message = before
        ? `a migration is never edited: put it back as it was, and write the change as a new one. If no database outside your own machine has had it, delete its line in ${HASHES} and run npm run generate`
        : `its hash is not in ${HASHES}: run npm run generate`
      return [{ file: path, message }]
    }),
    ...[...hashes.keys()]
      .filter((name) => !names.has(name))
      .map((name) => ({ file: HASHES, message: `the migration ${name}.sql is gone: put it back` })),
  ]
  return messages.map((one) => ({ ...one, line: 1, column: 1 }))
}
