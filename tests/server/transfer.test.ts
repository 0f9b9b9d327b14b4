import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withClient as withNamedClient } from '../../src/server/ops/command/withClient.ts'
import { exportData } from '../../src/server/ops/transfer/exportData.ts'
import { importData } from '../../src/server/ops/transfer/importData.ts'
import { type Manifest, manifestText } from '../../src/server/ops/transfer/manifest.ts'
import { recordRun } from '../../src/server/ops/transfer/recordRun.ts'
import { itInFull } from '../full.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { demoDatabase, emptyDatabase } from './database.ts'

let source: string
let folder: string
let exported: Awaited<ReturnType<typeof contentOf>>
const ends: (() => unknown)[] = []
beforeAll(async () => {
  const demo = await demoDatabase()
  source = demo.url
  const parent = temporaryFolder('export-')
  folder = join(parent, 'export')
  ends.push(demo.drop, () => rmSync(parent, { recursive: true }))
  await withClient(source, async (client) => {
    await client.query(
      'insert into files (name, type, size, content, created_by) select $1, $2, 4, $3, min(id) from staff',
      ['a\tb\\n.txt', 'text/plain', Buffer.from([0, 92, 46, 10])],
    )
  })
  exported = await contentOf(source)
  await exportData(source, folder)
})
afterAll(async () => {
  for (const end of ends) await end()
})

const withClient = <T>(url: string, work: (client: Client) => Promise<T>) =>
  withNamedClient(url, 'test', work)

async function empty(): Promise<string> {
  const made = await emptyDatabase()
  ends.push(made.drop)
  return made.url
}

/** Columns of tables that also say when this database was migrated. */
const WITHOUT_TIMES: Record<string, string> = {
  migration: 'name, hash, kind',
  migration_step: 'migration, step, kind, runs, hash',
}

/** Every table with its rows as one hash, every sequence, and what holds them together. */
const contentOf = (url: string) =>
  withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
    )
    const content: Record<string, unknown> = {}
    for (const { name } of tables) {
      if (name === 'installation') continue
      const columns = WITHOUT_TIMES[name] ?? 't.*'
      const { rows } = await client.query(
        `select count(*)::int as n, md5(string_agg(r::text, '|' order by r::text)) as hash from (select ${columns} from ${name} t) r`,
      )
      content[name] = rows[0]
    }
    const list = async (query: string) => (await client.query({ text: query, rowMode: 'array' })).rows
    return {
      content,
      sequences: await list('select sequencename, last_value from pg_sequences order by 1'),
      references: await list(
        `select conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated from pg_constraint where contype = 'f' order by 1, 2`,
      ),
      triggers: await list(
        `select tgrelid::regclass::text, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
      ),
    }
  })

it('an imported database is the one that was exported, row by row', async () => {
  const target = await empty()
  const { tables } = await importData(target, folder)
  expect(tables.find(({ name }) => name === 'clients')?.rows).toBeGreaterThan(100)
  expect(await contentOf(target)).toEqual(exported)
  await expect(importData(target, folder)).rejects.toThrow(/^The database has people in it already\./)
})

it('an export is recorded as a backup, if the role may write', async () => {
  const backups = () =>
    withClient(source, async (client) => {
      const { rows } = await client.query(
        `select ok, ended_at >= started_at as ended from job_runs where name = 'backup'`,
      )
      return rows
    })
  const exportTo = (url: string, name: string) =>
    recordRun(url, { name: 'backup' }, () => exportData(url, join(folder, '..', name)))
  await exportTo(source, 'recorded')
  expect(await backups()).toEqual([{ ok: true, ended: true }])
  const reader = new URL(source)
  reader.searchParams.set('options', '-c default_transaction_read_only=on')
  await exportTo(reader.href, 'read')
  expect(await backups()).toHaveLength(1)
})

it('an export is read by its owner alone, and is never written over', async () => {
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, 'clients.copy.gz')).mode & 0o777).toBe(0o600)
  await expect(exportData(source, folder)).rejects.toThrow(
    'is not empty. Name a folder that is not there yet.',
  )
})

it('an export that did not end, was changed or is of other tables leaves the database empty', async () => {
  const target = await empty()
  const manifest = join(folder, 'manifest.json')
  const file = join(folder, 'tasks.copy.gz')
  const [whole, tasks] = [readFileSync(manifest, 'utf8'), readFileSync(file)]
  const refused = async (words: string) => {
    await expect(importData(target, folder)).rejects.toThrow(words)
    const tables = await withClient(target, (client) =>
      client.query('select from pg_tables where schemaname = $1', ['public']),
    )
    expect(tables.rowCount).toBe(0)
  }
  appendFileSync(file, 'x')
  await refused('tasks.copy.gz is not as it was written')
  rmSync(file)
  await refused('tasks.copy.gz is missing.')
  writeFileSync(file, tasks)
  const change = (part: (manifest: Manifest) => object) => {
    const { sha256: _, ...known } = JSON.parse(whole)
    writeFileSync(manifest, manifestText({ ...known, ...part(known) }))
  }
  writeFileSync(manifest, whole.replace('"001_schema"', '"001_other"'))
  await refused('manifest.json is not as it was written')
  writeFileSync(manifest, whole.slice(0, 1000))
  await refused('manifest.json is not as it was written')
  writeFileSync(manifest, JSON.stringify({ format: 1 }))
  await refused('is of a format that this version of the app does not know.')
  change(({ migrations }) => ({
    migrations: [{ ...migrations[0], name: '001_other' }, ...migrations.slice(1)],
  }))
  await refused('whose tables are not those of this one. Import it with release')
  rmSync(manifest)
  await refused('has no manifest.json: it is not an export, or one that did not finish.')
  writeFileSync(manifest, whole)
  expect(existsSync(file)).toBe(true)
})

itInFull('an import that failed while rows were read is tried again on the same database', async () => {
  const target = await empty()
  const manifest = join(folder, 'manifest.json')
  const whole = readFileSync(manifest, 'utf8')
  const { sha256: _, ...claimed } = JSON.parse(whole)
  claimed.tables.find(({ name }: { name: string }) => name === 'tasks').rows += 1
  writeFileSync(manifest, manifestText(claimed))
  await expect(importData(target, folder)).rejects.toThrow(
    /tasks\.copy\.gz has \d+ rows and should have \d+\./,
  )
  writeFileSync(manifest, whole)
  await importData(target, folder)
  expect(await contentOf(target)).toEqual(exported)
})

it('a database with tables of others is left alone', async () => {
  const target = await empty()
  await withClient(target, (client) => client.query('create table ledger (id int)'))
  await expect(importData(target, folder)).rejects.toThrow('The database has tables already (ledger).')
})
