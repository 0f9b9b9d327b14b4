import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StartProblem } from '../../core/startProblem.ts'
import type { CopiedTable } from './tables.ts'

export interface ExportedTable extends CopiedTable {
  rows: number
  /** Checksum of the rows in any order (`rowDigest`). */
  content: string
  /** Size and SHA-256 of the table's file as it was written: compressed, and encrypted if the export is. */
  bytes: number
  sha256: string
}

/** Description of an export's files; written last, so that an export without it is incomplete. */
export interface Manifest {
  format: 2
  /** Version of the app that wrote it. */
  release: string
  /** Time of the snapshot, ISO with zone. */
  at: string
  /** Bytes of the database and of contents in the object storage, from which the next backup estimates its size. */
  sourceBytes: number
  /** True if the tables' files are encrypted in the format age; the manifest never is. */
  encrypted: boolean
  migrations: { name: string; hash: string }[]
  tables: ExportedTable[]
  /** The last value of each sequence; null if it was never used. */
  sequences: { name: string; last: string | null }[]
}

export const MANIFEST = 'manifest.json'

/** The file of a table in the folder of an export: its rows in COPY format, compressed. */
export function fileOf(folder: string, table: string, encrypted: boolean): string {
  return join(folder, `${table}.copy.gz${encrypted ? '.age' : ''}`)
}

export function bytesOf({ tables }: Manifest): number {
  return tables.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** The text of a manifest's file, which ends with its own checksum. */
export function manifestText(manifest: Manifest): string {
  const sha256 = createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
  return `${JSON.stringify({ ...manifest, sha256 }, undefined, 2)}\n`
}

/** Reads the manifest of an export without its files; throws a StartProblem for a missing or changed one. */
export function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST)
  if (!existsSync(path))
    throw new StartProblem(`${folder} has no ${MANIFEST}: it is not an export, or one that did not finish.`)
  const text = readFileSync(path, 'utf8')
  let format: unknown
  try {
    const { sha256: _, ...manifest } = JSON.parse(text)
    format = manifest.format
    if (format === 2 && manifestText(manifest) === text) return manifest
  } catch {
    // Reported below, like any other change.
  }
  throw new StartProblem(
    format === undefined || format === 2
      ? `${path} is not as it was written: take another copy of the export.`
      : `${path} is of a format that this version of the app does not know.`,
  )
}

/**
 * Reads the manifest of an export and compares all files with it; throws a StartProblem for a missing or changed one.
 */
export async function readWhole(folder: string): Promise<Manifest> {
  const manifest = readManifest(folder)
  for (const { name, sha256 } of manifest.tables) {
    const file = fileOf(folder, name, manifest.encrypted)
    if (!existsSync(file)) throw new StartProblem(`${file} is missing.`)
    const hash = createHash('sha256')
    await pipeline(createReadStream(file), hash)
    if (hash.digest('hex') !== sha256)
      throw new StartProblem(`${file} is not as it was written: take another copy of the export.`)
  }
  return manifest
}
