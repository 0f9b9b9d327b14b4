import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { migrate } from '../../src/server/start/migrate.ts'

let folder: string
let client: Client
let url: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'advocacy-migrate-'))
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
