import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { withClient } from '../command/withClient.ts'
import { startPostgres } from '../postgres/start.ts'
import { refuseFullDisk } from '../transfer/diskSpace.ts'
import { importData } from '../transfer/importData.ts'
import { type Manifest, readManifest } from '../transfer/manifest.ts'
import type { Progress } from '../transfer/progress.ts'
import { COPY_SESSION, digestOf } from '../transfer/tableRows.ts'

interface VerifyOptions {
  /** Secret keys for an encrypted backup. */
  identity?: string
  progress?: (progress: Progress) => void
  /** Folder for the throw-away database. */
  parent?: string
  freeOf?: (folder: string) => Promise<number | undefined>
  /** Ends the verification, which throws then. */
  signal?: AbortSignal
}

interface Verified {
  manifest: Manifest
  files: number
  fileBytes: number
  /** A sentence for each difference between the backup and what was restored from it. */
  differences: string[]
}

/** Settings of a database that is deleted at the end. */
const THROW_AWAY = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }
/** Factor by which a restored database may be larger than the original. */
const MARGIN = 1.5
const PREFIX = 'casework-verify-'

/**
 * Restores a backup into a throw-away embedded database and compares the rows of each table and the contents of files
 * with the manifest. Throws a StartProblem if it cannot be restored.
 */
export async function verifyBackup(folder: string, options: VerifyOptions = {}): Promise<Verified> {
  const { identity, progress = () => undefined, parent = tmpdir(), freeOf, signal } = options
  const { sourceBytes } = readManifest(folder)
  await removeLeftOvers(parent)
  await refuseFullDisk(parent, sourceBytes * MARGIN, 'restoring the backup for a comparison', freeOf)
  const temporary = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`))
  const server = await startPostgres(join(temporary, 'postgres'), { settings: THROW_AWAY })
  const stop = () => server.stop()
  signal?.addEventListener('abort', stop)
  try {
    const manifest = await importData(server.url, folder, identity)
    return await withClient(server.url, 'verify-backup', async (client) => {
      await client.query(COPY_SESSION)
      const differences = await compareTables(client, manifest, progress)
      return { manifest, ...(await compareFiles(client, differences)) }
    })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
    await server.stop()
    await rm(temporary, { recursive: true, force: true })
  }
}

async function compareTables(
  client: Client,
  { tables }: Manifest,
  progress: (progress: Progress) => void,
): Promise<string[]> {
  const differences: string[] = []
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0)
  let bytes = 0
  for (const table of tables) {
    const { rows, content } = await digestOf(client, table)
    if (rows !== table.rows) differences.push(`${table.name} has ${rows} rows and should have ${table.rows}.`)
    else if (content !== table.content)
      differences.push(`The rows of ${table.name} are not those that were written.`)
    bytes += table.bytes
    progress({ percent: Math.floor((100 * bytes) / total), table: table.name, bytes })
  }
  return differences
}

/** Compares the size, and where it is known the SHA-256, of each file's content with its record. */
async function compareFiles(client: Client, differences: string[]) {
  const { rows: damaged } = await client.query<{ id: number }>(`select id from files
    where content is null or length(content) <> size or (sha256 is not null and sha256(content) <> sha256) order by id`)
  const { rows } = await client.query<{ files: number; fileBytes: number }>(
    `select count(*)::int as files, coalesce(sum(size), 0)::float as "fileBytes" from files`,
  )
  const words = damaged.map(({ id }) => `The content of file ${id} is not as it was uploaded.`)
  return { ...rows[0], differences: [...differences, ...words] }
}

/** Ends and removes the databases of verifications that were killed. */
async function removeLeftOvers(parent: string): Promise<void> {
  for (const name of readdirSync(parent).filter((one) => one.startsWith(PREFIX))) {
    if (isAlive(Number(name.slice(PREFIX.length).split('-')[0]))) continue
    const folder = join(parent, name)
    const left = await startPostgres(join(folder, 'postgres'), { settings: THROW_AWAY }).catch(
      () => undefined,
    )
    await left?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
