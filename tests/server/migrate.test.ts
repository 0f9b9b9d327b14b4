import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { migrate } from '../../src/server/start/migrate.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

let folder: string
let client: Client
let url: string

beforeEach(async () => {
  folder = temporaryFolder('advocacy-migrate-')
  for (const path of Object.values(folders())) mkdirSync(path)
  const name = `${inject('template').replace('template_app', 't')}_migrate`
  client = new Client({ connectionString: inject('databaseUrl') })
  await client.connect()
  await client.query(`drop database if exists ${name} with (force)`)
  await client.query(`create database ${name}`)
  const changed = new URL(inject('databaseUrl'))
  changed.pathname = name
  url = changed.href
  await client.end()
  client = new Client({ connectionString: url })
  await client.connect()
})

afterEach(async () => {
  await client.end()
  rmSync(folder, { recursive: true })
})

const folders = () => ({ migrations: join(folder, 'migrations'), views: join(folder, 'views') })

function write(name: string, sql: string, kind = 'expand'): void {
  writeFileSync(join(folders().migrations, name), `-- kind: ${kind}\n${sql}`)
}

function writeView(name: string, sql: string): void {
  writeFileSync(join(folders().views, `${name}.sql`), sql)
}

test('files are applied once, in order, and the next call applies only what is new', async () => {
  write('002_second.sql', 'alter table note add body text')
  write('001_first.sql', 'create table note (id int); insert into note values (1)')
  expect(await migrate(url, folders())).toEqual(['001_first', '002_second'])
  write('003_third.sql', 'alter table note drop body')
  expect(await migrate(url, folders())).toEqual(['003_third'])
  expect(await migrate(url, folders())).toEqual([])
  expect((await client.query('select * from note')).rows).toEqual([{ id: 1 }])
})

test('callers at the same time apply each file once', async () => {
  write('001_first.sql', 'create table note (id int)')
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(url, folders())))
  expect(applied.flat()).toEqual(['001_first'])
})

test('a mistake names file and line, and nothing of its file stays', async () => {
  write('001_first.sql', 'create table note (id int)')
  write('002_wrong.sql', 'create table other (id int);\n\nselect nonsense from note;\n')
  await expect(migrate(url, folders())).rejects.toThrow(
    `${join(folders().migrations, '002_wrong.sql')}:4: column "nonsense" does not exist. Nothing of this file was applied.`,
  )
  expect((await client.query('select name from migration')).rows).toEqual([{ name: '001_first' }])
  expect((await client.query("select to_regclass('other') as other")).rows).toEqual([{ other: null }])
})

test('a changed file is refused, other line ends are not', async () => {
  write('001_first.sql', 'create table note (\n  id int\n)')
  await migrate(url, folders())
  write('001_first.sql', 'create table note (\r\n  id int\r\n)')
  expect(await migrate(url, folders())).toEqual([])
  write('001_first.sql', 'create table note (id bigint)')
  await expect(migrate(url, folders())).rejects.toThrow('001_first.sql has changed since it was applied')
})

test('a database from a newer version is refused', async () => {
  write('001_first.sql', 'create table note (id int)')
  await migrate(url, folders())
  rmSync(join(folders().migrations, '001_first.sql'))
  await expect(migrate(url, folders())).rejects.toThrow('has had the migration 001_first')
})

test('a file whose name says no order is refused', async () => {
  write('notes.sql', 'select 1')
  await expect(migrate(url, folders())).rejects.toThrow('name it 001_what_it_does.sql')
})

test('a database that is not in UTF-8 is refused, with what to do', async () => {
  const name = `${inject('template').replace('template_app', 't')}_latin`
  await client.query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`)
  const latin = new URL(url)
  latin.pathname = name
  try {
    await expect(migrate(latin.href)).rejects.toThrow(
      `The database is encoded as LATIN1. Make another one with "encoding 'UTF8' template template0".`,
    )
  } finally {
    await client.query(`drop database ${name} with (force)`)
  }
})
test('a file that does not say its kind is refused', async () => {
  writeFileSync(join(folders().migrations, '001_first.sql'), 'create table note (id int)')
  await expect(migrate(url, folders())).rejects.toThrow('001_first.sql:1: begin with "-- kind: expand"')
})

test('a database of release 0.1 is refused with what to do, and nothing is changed', async () => {
  await client.query(`create table migration (name text primary key, hash text not null);
    insert into migration values ('001_tables', 'x')`)
  write('001_first.sql', 'create table note (id int)')
  await expect(migrate(url, folders())).rejects.toThrow(/release 0\.1.*Set DATA_DIR to a new folder/)
  expect((await client.query("select to_regclass('note') as note")).rows).toEqual([{ note: null }])
})

test('a migration waits for a lock in short attempts, so that others are served between', async () => {
  write('001_first.sql', 'create table note (id int)')
  await migrate(url, folders())
  write('002_second.sql', 'alter table note add body text')
  await client.query('begin; lock table note in row exclusive mode')
  const applied = migrate(url, folders())
  await expect
    .poll(async () => (await client.query(WAITING)).rowCount, { interval: 20, timeout: 10_000 })
    .toBe(1)
  // While this lock is held the migration must give up, for a while in which nothing waits.
  await expect
    .poll(async () => (await client.query(WAITING)).rowCount, { interval: 20, timeout: 10_000 })
    .toBe(0)
  await client.query('commit')
  expect(await applied).toEqual(['002_second'])
})

const WAITING = `select from pg_locks l join pg_stat_activity a using (pid)
  where not l.granted and a.application_name = 'migrate' and a.datname = current_database()`

describe('views', () => {
  const columnsOf = async (view: string) => {
    const { fields } = await client.query(`select * from ${view} limit 0`)
    return fields.map(({ name }) => name)
  }
  const idOf = async (view: string) =>
    (await client.query('select $1::regclass::oid as id', [view])).rows[0].id

  test('are built in the order in which they read each other, and show a column that a migration adds', async () => {
    write('001_first.sql', 'create table note (id int)')
    writeView('all_notes', '-- Reads zz_notes.\nselect * from zz_notes')
    writeView('zz_notes', "select 'all_notes' as source, n.* from note n")
    await migrate(url, folders())
    expect(await columnsOf('all_notes')).toEqual(['source', 'id'])
    const before = await idOf('zz_notes')
    write('002_second.sql', 'alter table note add body text')
    await migrate(url, folders())
    expect(await columnsOf('all_notes')).toEqual(['source', 'id', 'body'])
    expect(await idOf('zz_notes'), 'replaced, not dropped').toBe(before)
  })

  test('are rebuilt when a text changes, also to fewer columns, and dropped with their file', async () => {
    write('001_first.sql', 'create table note (id int, body text)')
    writeView('notes', 'select id, body from note')
    writeView('bodies', 'select body from notes')
    await migrate(url, folders())
    writeView('notes', 'select body, 1 as one from note')
    await migrate(url, folders())
    expect(await columnsOf('notes')).toEqual(['body', 'one'])
    expect(await columnsOf('bodies')).toEqual(['body'])
    rmSync(join(folders().views, 'bodies.sql'))
    await migrate(url, folders())
    expect((await client.query("select to_regclass('bodies') as bodies")).rows).toEqual([{ bodies: null }])
  })

  test('are left alone while neither texts nor tables change', async () => {
    write('001_first.sql', 'create table note (id int)')
    writeView('notes', 'select id from note')
    await migrate(url, folders())
    // A rebuild would need a lock on the view, and wait.
    await client.query('begin; lock table notes in access share mode')
    await migrate(url, folders())
    await client.query('rollback')
  })

  test('of a newer release are left as they are by a server of an older one', async () => {
    write('001_first.sql', 'create table note (id int)')
    writeView('notes', 'select id from note')
    await migrate(url, folders())
    writeView('notes', 'select id, 1 as one from note')
    await client.query("update built_view set release = '99.10.0'")
    await migrate(url, folders())
    expect(await columnsOf('notes')).toEqual(['id'])
    await client.query("update built_view set release = '0.1.9'")
    await migrate(url, folders())
    expect(await columnsOf('notes')).toEqual(['id', 'one'])
  })

  test('do not keep a contract migration from dropping a column that they read', async () => {
    write('001_first.sql', 'create table note (id int, body text)')
    writeView('notes', 'select n.* from note n')
    await migrate(url, folders())
    write('002_second.sql', 'alter table note drop body', 'contract')
    write('003_third.sql', 'alter table note add words text')
    await migrate(url, folders())
    expect(await columnsOf('notes')).toEqual(['id', 'words'])
  })

  test('with a mistake name file and line and leave the database as it was', async () => {
    write('001_first.sql', 'create table note (id int)')
    writeView('notes', 'select id from note')
    await migrate(url, folders())
    write('002_second.sql', 'alter table note add body text')
    writeView('notes', 'select id,\n  boddy\nfrom note')
    await expect(migrate(url, folders())).rejects.toThrow(
      `${join(folders().views, 'notes.sql')}:2: column "boddy" does not exist. Nothing of this file was applied.`,
    )
    expect(await columnsOf('note')).toEqual(['id'])
    writeView('notes', 'select * from words')
    writeView('words', 'select * from notes')
    await expect(migrate(url, folders())).rejects.toThrow(
      'a view cannot read itself (notes reads words reads notes)',
    )
  })
})
