import type { Readable } from 'node:stream'
import { type Client, escapeIdentifier } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type RowDigest, rowDigest } from './rowDigest.ts'
import { storedFiles } from './storedFiles.ts'
import type { CopiedTable } from './tables.ts'

/**
 * Settings of a session that copies rows: the text of a value is the same on every server, and no limit of the role or
 * the database ends a copy that takes hours.
 */
export const COPY_SESSION = `
  set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = 1; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`

/** The rows of a table in COPY format, files with their contents; also adds them to the digest. */
export async function* tableRows(
  client: Client,
  { name, columns }: Pick<CopiedTable, 'name' | 'columns'>,
  filesUrl: string,
  digest: RowDigest,
): AsyncGenerator<Buffer> {
  const names = columns.map(escapeIdentifier).join(', ')
  const where = name === 'files' ? ' where storage_key is null' : ''
  const copied: Readable = client.query(
    copyTo(`copy (select ${names} from ${escapeIdentifier(name)}${where}) to stdout`),
  )
  for await (const chunk of copied) {
    digest.update(chunk)
    yield chunk
  }
  if (name !== 'files') return
  for await (const row of await storedFiles(client, columns, filesUrl)) {
    const chunk = Buffer.from(row)
    digest.update(chunk)
    yield chunk
  }
}

/** Number and checksum of the rows of a table, as an export records them. */
export async function digestOf(
  client: Client,
  table: Pick<CopiedTable, 'name' | 'columns'>,
): Promise<{ rows: number; content: string }> {
  const digest = rowDigest()
  for await (const _ of tableRows(client, table, '', digest));
  return { rows: digest.rows(), content: digest.hex() }
}
