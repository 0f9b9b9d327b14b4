import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Client, escapeIdentifier } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { productVersion } from '../start/productVersion.ts'
import { StartProblem } from '../start/startProblem.ts'
import { withClient } from '../start/withClient.ts'
import { fileOf, MANIFEST, type Manifest } from './manifest.ts'
import { storedFiles } from './storedFiles.ts'
import { type CopiedTable, isCopied, tablesOf } from './tables.ts'

/**
 * Exports all rows of a database, in one snapshot, into a new folder that only the owner can read; people may keep
 * working. Contents of files are included, also those in the object storage of `filesUrl`.
 */
export async function exportData(url: string, folder: string, filesUrl = ''): Promise<Manifest> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new StartProblem(`${folder} is not empty. Name a folder that is not there yet.`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return await withClient(url, 'export-data', async (client) => {
    await client.query('begin isolation level repeatable read read only')
    // Before the snapshot: rows of the audit that are moved to another partition after it would be missed.
    await client.query('lock table audit in access share mode')
    const tables: Manifest['tables'] = []
    for (const table of await tablesOf(client)) {
      if (isCopied(table)) tables.push({ ...table, ...(await exportTable(client, folder, table, filesUrl)) })
    }
    const manifest: Manifest = {
      format: 1,
      release: productVersion(),
      at: (await client.query<{ at: Date }>('select now() as at')).rows[0].at.toISOString(),
      migrations: (await client.query('select name, hash from migration order by name')).rows,
      tables,
      sequences: (
        await client.query(`select sequencename as name, last_value::text as last from pg_sequences
          where schemaname = current_schema() order by 1`)
      ).rows,
    }
    await client.query('commit')
    writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 })
    await recordBackup(client, manifest.at)
    return manifest
  })
}

/** Records the backup for the health page, unless the role or the database is read-only. */
async function recordBackup(client: Client, at: string): Promise<void> {
  const note = `insert into job_runs (name, started_at, ended_at, ok) values ('backup', $1, now(), true)`
  await client.query(note, [at]).catch(({ code }) => {
    if (!CANNOT_WRITE.includes(code)) throw new Error(`The backup could not be noted: ${code}`)
  })
}

/** SQLSTATE: insufficient_privilege, read_only_sql_transaction. */
const CANNOT_WRITE = ['42501', '25006']

async function exportTable(client: Client, folder: string, table: CopiedTable, filesUrl: string) {
  const { name, columns } = table
  const names = columns.map(escapeIdentifier).join(', ')
  const where = name === 'files' ? ' where storage_key is null' : ''
  const hash = createHash('sha256')
  const hashed = new PassThrough()
  hashed.on('data', (chunk) => hash.update(chunk))
  const file = createWriteStream(fileOf(folder, name), { mode: 0o600, flags: 'wx' })
  let rows = 0
  async function* parts(): AsyncGenerator<Buffer | string> {
    const copied = client.query(
      copyTo(`copy (select ${names} from ${escapeIdentifier(name)}${where}) to stdout`),
    )
    yield* copied as Readable
    rows += copied.rowCount
    if (name !== 'files') return
    for await (const row of await storedFiles(client, columns, filesUrl)) {
      yield row
      rows += 1
    }
  }
  await pipeline(parts, createGzip({ level: 1 }), hashed, file)
  return { rows, sha256: hash.digest('hex') }
}
