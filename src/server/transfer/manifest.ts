import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StartProblem } from '../start/startProblem.ts'
import type { CopiedTable } from './tables.ts'

/** Description of an export's files; written last, so that an export without it is incomplete. */
export interface Manifest {
  format: 1
  /** Version of the app that wrote it. */
  release: string
  /** Time of the snapshot, ISO with zone. */
  at: string
  migrations: { name: string; hash: string }[]
  tables: (CopiedTable & { rows: number; sha256: string })[]
  /** The last value of each sequence; null if it was never used. */
  sequences: { name: string; last: string | null }[]
}

export const MANIFEST = 'manifest.json'

/** The file of a table in the folder of an export: its rows in COPY format, compressed. */
export function fileOf(folder: string, table: string): string {
  return join(folder, `${table}.copy.gz`)
}

/** Reads the manifest of an export and verifies its files; throws a StartProblem for a missing or changed one. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST)
  if (!existsSync(path))
    throw new StartProblem(`${folder} has no ${MANIFEST}: it is no export, or one that did not end.`)
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
  if (manifest.format !== 1)
    throw new StartProblem(`${path} is of a format that this version of the app does not know.`)
  for (const { name, sha256 } of manifest.tables) {
    const file = fileOf(folder, name)
    if (!existsSync(file)) throw new StartProblem(`${file} is missing.`)
    const hash = createHash('sha256')
    await pipeline(createReadStream(file), hash)
    if (hash.digest('hex') !== sha256)
      throw new StartProblem(`${file} is not as it was written: take another copy of the export.`)
  }
  return manifest
}
