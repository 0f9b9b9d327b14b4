import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Client, escapeIdentifier } from 'pg'
import { productVersion } from '../../core/productVersion.ts'
import { StartProblem } from '../../core/startProblem.ts'
import { withClient } from '../command/withClient.ts'
import { DISK_FULL, DiskFull } from './diskSpace.ts'
import { encrypting } from './encryption.ts'
import { bytesOf, type ExportedTable, fileOf, MANIFEST, type Manifest, manifestText } from './manifest.ts'
import { fillFolder, PARTIAL } from './partialFolder.ts'
import { type Progress, progressOf, type TableSize, tableSizes } from './progress.ts'
import { rowDigest } from './rowDigest.ts'
import { COPY_SESSION, tableRows } from './tableRows.ts'
import { isCopied, tablesOf } from './tables.ts'

export interface ExportOptions {
  /** Object storage whose contents are exported too. */
  filesUrl?: string
  /** Public keys for which the files are encrypted; without any they are not. */
  recipients?: string[]
  progress?: (progress: Progress) => void
  /** Aborts the export, which then removes what it has written. */
  signal?: AbortSignal
  /** Throws if the export should not begin. */
  check?: (sourceBytes: number) => Promise<void>
}

/** Start of the name of an exporting connection, which ends with the name of its folder. */
export const EXPORTING = 'backup'

interface Exporting extends ExportOptions {
  client: Client
  folder: string
}

/**
 * Exports all rows of a database, in one snapshot, into a new folder that only the owner can read; people may keep
 * working. Contents of files are included, also those in the object storage.
 */
export async function exportData(
  url: string,
  folder: string,
  options: ExportOptions = {},
): Promise<Manifest> {
  return await withClient(url, `${EXPORTING} ${basename(folder)}`, async (client) => {
    try {
      await client.query(COPY_SESSION)
      await removeLeftOver(client, folder)
      const sizes = await tableSizes(client)
      const sourceBytes = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
      await options.check?.(sourceBytes)
      return await fillFolder(folder, (partial) =>
        writeExport({ ...options, client, folder: partial }, sizes, sourceBytes),
      )
    } catch (error) {
      closeAtOnce(client)
      throw inWords(error)
    }
  })
}

/** Removes what a killed export to the folder has left; throws a StartProblem if one is running. */
async function removeLeftOver(client: Client, folder: string): Promise<void> {
  const { rows } = await client.query(`select from pg_stat_activity where pid <> pg_backend_pid()
    and application_name = current_setting('application_name') and datname = current_database()`)
  if (rows.length > 0) throw new StartProblem(`${folder} is being written by another export.`)
  await rm(folder + PARTIAL, { recursive: true, force: true })
}

/** Closes a connection whose rows nobody reads any more: PostgreSQL would wait until they are read. */
function closeAtOnce(client: Client): void {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}

async function writeExport(exporting: Exporting, sizes: TableSize[], sourceBytes: number): Promise<Manifest> {
  const { client, folder, recipients = [], signal, progress = () => undefined } = exporting
  const copied = (await tablesOf(client)).filter(isCopied)
  await client.query('begin isolation level repeatable read read only')
  // Before the snapshot, which the next query takes: no table of it can be dropped or altered meanwhile.
  const names = copied.map(({ name }) => escapeIdentifier(name))
  await client.query(`lock table ${names.join(', ')} in access share mode`)
  const { rows } = await client.query<{ at: Date }>('select now() as at')
  const tables: ExportedTable[] = []
  const report = progressOf(sizes, progress)
  for (const table of copied) {
    signal?.throwIfAborted()
    tables.push(await exportTable(exporting, table, report))
  }
  const manifest: Manifest = {
    format: 2,
    release: productVersion(),
    at: rows[0].at.toISOString(),
    sourceBytes,
    encrypted: recipients.length > 0,
    migrations: (await client.query('select name, hash from migration order by name')).rows,
    tables,
    sequences: (
      await client.query(`select sequencename as name, last_value::text as last from pg_sequences
        where schemaname = current_schema() order by 1`)
    ).rows,
  }
  await client.query('commit')
  // Last: what has a manifest is whole.
  await writeFile(join(folder, MANIFEST), manifestText(manifest), { mode: 0o600, flag: 'wx', flush: true })
  report.end(bytesOf(manifest))
  return manifest
}

async function exportTable(
  { client, folder, filesUrl = '', recipients = [], signal }: Exporting,
  table: Omit<ExportedTable, 'rows' | 'content' | 'bytes' | 'sha256'>,
  report: ReturnType<typeof progressOf>,
): Promise<ExportedTable> {
  const [hash, digest] = [createHash('sha256'), rowDigest()]
  let bytes = 0
  async function* hashed(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk)
      bytes += chunk.length
      report.wrote(table.name, digest.rows(), chunk.length)
      yield chunk
    }
  }
  const encrypt = recipients.length > 0 ? await encrypting(recipients) : undefined
  const path = fileOf(folder, table.name, encrypt !== undefined)
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true })
  const rows = () => tableRows(client, table, filesUrl, digest)
  const gzip = createGzip({ level: 1 })
  if (encrypt) await pipeline(rows, gzip, encrypt, hashed, file, { signal })
  else await pipeline(rows, gzip, hashed, file, { signal })
  return { ...table, rows: digest.rows(), content: digest.hex(), bytes, sha256: hash.digest('hex') }
}

/** SQLSTATE of a connection that the server ended because it stops, and codes of a connection that was lost. */
const STOPPED = ['57P01', '57P02', '57P03', 'ECONNRESET', 'EPIPE']

/** Causes that are no mistake of the program, as a sentence. */
function inWords(error: unknown): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (DISK_FULL.includes(code) && !(error instanceof StartProblem))
    return new DiskFull(
      'The disk is full. What had been written of this export was removed; earlier ones are as they were.',
    )
  if (STOPPED.includes(code) || message === 'Connection terminated unexpectedly')
    return new StartProblem(
      'The database was stopped meanwhile. What had been written of this export was removed; begin it again.',
    )
  return error
}
