import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Client, escapeIdentifier, escapeLiteral } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { rootFolder } from '../../core/rootFolder.ts'
import { StartProblem } from '../../core/startProblem.ts'
import { withClient } from '../command/withClient.ts'
import { migrate } from '../migrate/migrate.ts'
import { readMigrations } from '../migrate/migrationFiles.ts'
import { decrypting } from './encryption.ts'
import { fileOf, type Manifest, readWhole } from './manifest.ts'
import { COPY_SESSION } from './tableRows.ts'
import { tablesOf } from './tables.ts'

/**
 * Imports an export of the same schema into an empty database, in one transaction. Every file is verified before the
 * database is changed, and foreign keys once all rows are there. If it fails, the tables stay, empty for another try.
 * `identity` has the secret keys for an encrypted export.
 */
export async function importData(url: string, folder: string, identity = ''): Promise<Manifest> {
  const manifest = await readWhole(folder)
  refuseOtherSchema(manifest)
  const decrypt = manifest.encrypted ? await decrypting(identity) : undefined
  return await withClient(url, 'import-data', async (client) => {
    await client.query(COPY_SESSION)
    await refuseFilled(client)
    await migrate(url)
    await client.query('begin')
    await fill(client, folder, manifest, decrypt)
    await fillAccess(client)
    await client.query('commit')
    await client.query('analyze')
    return manifest
  })
}

/**
 * Fills the access rows, which are not exported because they follow from the other tables. The plans of an empty table
 * would be kept for the full one, so the first clients are analysed before the others.
 */
async function fillAccess(client: Client): Promise<void> {
  const refresh = 'select refresh_access(array_agg(id)) from clients'
  await client.query(`${refresh} where id <= 1000`)
  await client.query('analyze')
  await client.query(`${refresh} where id > 1000 group by id / 1000`)
}

/** Refuses a database with tables, except those of the product without people, which a failed import leaves. */
async function refuseFilled(client: Client): Promise<void> {
  const tables = (await tablesOf(client)).map(({ name }) => name)
  if (tables.length === 0) return
  const isOurs = ['migration', 'staff', 'clients'].every((name) => tables.includes(name))
  const people = isOurs && (await client.query('select from staff union all select from clients limit 1'))
  if (people && people.rowCount === 0) return
  throw new StartProblem(
    isOurs
      ? 'The database has people in it already. Name an empty one, so that nothing is overwritten.'
      : `The database has tables already (${tables[0]}). Name an empty one, so that nothing is overwritten.`,
  )
}

function refuseOtherSchema({ migrations, release }: Manifest) {
  const known = readMigrations(join(rootFolder(), 'src/server/ops/migrations'))
  const isSame =
    known.length === migrations.length &&
    known.every(({ name, hash }, i) => name === migrations[i].name && hash === migrations[i].hash)
  if (!isSame)
    throw new StartProblem(
      `The export was written by release ${release}, whose tables are not those of this one. ` +
        `Import it with release ${release}, and upgrade then.`,
    )
}

async function fill(
  client: Client,
  folder: string,
  { tables, sequences, encrypted }: Manifest,
  decrypt?: Awaited<ReturnType<typeof decrypting>>,
): Promise<void> {
  const names = tables.map(({ name }) => escapeIdentifier(name))
  const references = await dropReferences(client)
  const enableTriggers = await disableTriggers(client)
  await client.query(`truncate ${names.join(', ')}`)
  for (const { name, columns, partitions, rows } of tables) {
    const table = escapeIdentifier(name)
    for (const one of partitions)
      await client.query(
        `create table if not exists ${escapeIdentifier(one.name)} partition of ${table} ${one.bound}`,
      )
    const copy = client.query(
      copyFrom(`copy ${table} (${columns.map(escapeIdentifier).join(', ')}) from stdin`),
    )
    const path = fileOf(folder, name, encrypted)
    const file = createReadStream(path)
    if (decrypt) await pipeline(file, decrypt, createGunzip(), copy)
    else await pipeline(file, createGunzip(), copy)
    if (copy.rowCount !== rows)
      throw new StartProblem(`${path} has ${copy.rowCount} rows and should have ${rows}.`)
  }
  await enableTriggers()
  for (const { table, name, definition } of references)
    await client.query(`alter table ${table} add constraint ${escapeIdentifier(name)} ${definition}`)
  for (const { name, last } of sequences)
    if (last !== null) await client.query(`select setval(${escapeLiteral(escapeIdentifier(name))}, ${last})`)
}

const ENABLE: Record<string, string> = { O: 'enable', A: 'enable always', R: 'enable replica' }

/**
 * Disables triggers: computed values come with the rows, and an import is no change to react to. Returns a function
 * that restores their state.
 */
async function disableTriggers(client: Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ table: string; name: string; state: string }>(`
    select tgrelid::regclass::text as table, quote_ident(tgname) as name, tgenabled as state
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not tgisinternal and tgparentid = 0 and tgenabled <> 'D' and c.relnamespace = current_schema()::regnamespace`)
  const alter = async (how: (state: string) => string) => {
    for (const { table, name, state } of rows)
      await client.query(`alter table ${table} ${how(state)} trigger ${name}`)
  }
  await alter(() => 'disable')
  return () => alter((state) => ENABLE[state])
}

interface Reference {
  table: string
  name: string
  definition: string
}

/** Drops the foreign keys, which may be circular, and returns their definitions. */
async function dropReferences(client: Client): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace`)
  for (const { table, name } of rows)
    await client.query(`alter table ${table} drop constraint ${escapeIdentifier(name)}`)
  return rows
}
