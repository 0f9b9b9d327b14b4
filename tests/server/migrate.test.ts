import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { migrate } from '../../src/server/ops/migrate/migrate.ts'
import { migrateOrRefuse } from '../../src/server/ops/migrate/migrateOrRefuse.ts'
import { useMigrationFolders } from './migrationFolders.ts'

const { url, pathOf, viewPathOf, write, writeView, removeView, migrateAll, refuse, query, rowsOf } =
  useMigrationFolders()

test('files are applied once, in order, and the next call applies only what is new', async () => {
  write('002_second.sql', 'alter table note add body text')
  write('001_first.sql', 'create table note (id int); insert into note values (1)')
  expect(await migrateAll()).toEqual(['001_first', '002_second'])
  write('003_third.sql', 'alter table note drop body')
  expect(await migrateAll()).toEqual(['003_third'])
  expect(await migrateAll()).toEqual([])
  expect(await rowsOf('select * from note')).toEqual([{ id: 1 }])
})

test('a start without migrations is refused until all are applied, and changes nothing', async () => {
  write('001_first.sql', 'create table note (id int)')
  write('002_second.sql', 'alter table note add body text')
  await expect(refuse()).rejects.toThrow(/^The database lacks 001_first and 1 more\. Run `npm run migrate`/)
  expect(await rowsOf(`select to_regclass('migration') as found`)).toEqual([{ found: null }])
  await migrateAll()
  await refuse()
  writeView('notes', 'select id from note')
  await expect(refuse()).rejects.toThrow('The database lacks the view notes.')
})

test('callers at the same time apply each file once', async () => {
  write('001_first.sql', 'create table note (id int)')
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrateAll()))
  expect(applied.flat()).toEqual(['001_first'])
})

test('a mistake names file and line, and nothing of its file stays', async () => {
  write('001_first.sql', 'create table note (id int)')
  write('002_wrong.sql', 'create table other (id int);\n\nselect nonsense from note;\n')
  await expect(migrateAll()).rejects.toThrow(
    `${pathOf('002_wrong.sql')}:4: column "nonsense" does not exist. Nothing of this file was applied.`,
  )
  expect(await rowsOf('select name from migration')).toEqual([{ name: '001_first' }])
  expect(await rowsOf("select to_regclass('other') as other")).toEqual([{ other: null }])
})

test('a changed file is refused, other line ends are not', async () => {
  write('001_first.sql', 'create table note (\n  id int\n)')
  await migrateAll()
  write('001_first.sql', 'create table note (\r\n  id int\r\n)')
  expect(await migrateAll()).toEqual([])
  write('001_first.sql', 'create table note (id bigint)')
  await expect(migrateAll()).rejects.toThrow('001_first.sql has changed since it was applied')
})

test('an embedded database with unknown migrations is refused, with how to begin again', async () => {
  await query('create table migration (name text primary key, hash text not null)')
  await query("insert into migration values ('999_tried_out', '')")
  const advice = 'If there is nothing but demo data, delete .data and start again.'
  await expect(migrateOrRefuse(url(), { dataFolder: '.data' })).rejects.toThrow(advice)
  const words = await migrateOrRefuse(url()).catch(({ message }) => message)
  expect(words).toContain('has had the migration 999_tried_out')
  expect(words).not.toContain(advice)
})

test('a number that two files have is refused, with the next free one', async () => {
  write('001_first.sql', 'create table note (id int)')
  write('001_other.sql', 'create table other (id int)')
  await expect(migrateAll()).rejects.toThrow(
    '001_other.sql:1:1  001_first.sql has the same number: give the new one of both 002',
  )
})

test('a file whose name says no order is refused', async () => {
  write('notes.sql', 'select 1')
  await expect(migrateAll()).rejects.toThrow('notes.sql:1:1  name it 001_notes.sql')
})

test('a database that is not in UTF-8 is refused, with what to do', async () => {
  const name = `${inject('template').replace('template_app', 't')}_latin`
  await query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`)
  const latin = new URL(url())
  latin.pathname = name
  try {
    await expect(migrate(latin.href)).rejects.toThrow(
      `The database is encoded as LATIN1. Make another one with "encoding 'UTF8' template template0".`,
    )
  } finally {
    await query(`drop database ${name} with (force)`)
  }
})
test('a file that does not say its kind is refused', async () => {
  writeFileSync(pathOf('001_first.sql'), 'create table note (id int)')
  await expect(migrateAll()).rejects.toThrow('001_first.sql:1:1  begin with "-- kind: expand"')
})

test('a database of release 0.1 is refused with what to do, and nothing is changed', async () => {
  await query(`create table migration (name text primary key, hash text not null);
    insert into migration values ('001_tables', 'x')`)
  write('001_first.sql', 'create table note (id int)')
  await expect(migrateAll()).rejects.toThrow(/release 0\.1.*Set DATA_DIR to a new folder/)
  expect(await rowsOf("select to_regclass('note') as note")).toEqual([{ note: null }])
})

test('a migration waits for a lock in short attempts, so that others are served between', async () => {
  write('001_first.sql', 'create table note (id int)')
  await migrateAll()
  write('002_second.sql', 'alter table note add body text')
  await query('begin; lock table note in row exclusive mode')
  const applied = migrateAll()
  await expect.poll(async () => (await query(WAITING)).rowCount, { interval: 20 }).toBe(1)
  // While this lock is held the migration must give up, for a while in which nothing waits.
  await expect.poll(async () => (await query(WAITING)).rowCount, { interval: 20 }).toBe(0)
  await query('commit')
  expect(await applied).toEqual(['002_second'])
})

const WAITING = `select from pg_locks l join pg_stat_activity a using (pid)
  where not l.granted and a.application_name = 'migrate' and a.datname = current_database()`

describe('views', () => {
  const columnsOf = async (view: string) => {
    const { fields } = await query(`select * from ${view} limit 0`)
    return fields.map(({ name }) => name)
  }
  const idOf = async (view: string) => (await query('select $1::regclass::oid as id', [view])).rows[0].id

  test('are built in the order in which they read each other, and show a column that a migration adds', async () => {
    write('001_first.sql', 'create table note (id int)')
    writeView('all_notes', '-- Reads zz_notes.\nselect * from zz_notes')
    writeView('zz_notes', "select 'all_notes' as source, n.* from note n")
    await migrateAll()
    expect(await columnsOf('all_notes')).toEqual(['source', 'id'])
    const before = await idOf('zz_notes')
    write('002_second.sql', 'alter table note add body text')
    await migrateAll()
    expect(await columnsOf('all_notes')).toEqual(['source', 'id', 'body'])
    expect(await idOf('zz_notes'), 'replaced, not dropped').toBe(before)
  })

  test('are rebuilt when a text changes, also to fewer columns', async () => {
    write('001_first.sql', 'create table note (id int, body text)')
    writeView('notes', 'select id, body from note')
    writeView('bodies', 'select body from notes')
    await migrateAll()
    writeView('notes', 'select body, 1 as one from note')
    await migrateAll()
    expect(await columnsOf('notes')).toEqual(['body', 'one'])
    expect(await columnsOf('bodies')).toEqual(['body'])
  })

  test('without a file stay for servers of the previous release, until a contract migration', async () => {
    write('001_first.sql', 'create table note (id int, body text)')
    writeView('bodies', 'select body from note')
    await migrateAll()
    removeView('bodies')
    write('002_second.sql', 'alter table note add words text')
    await migrateAll()
    expect(await columnsOf('bodies')).toEqual(['body'])
    write('003_third.sql', 'alter table note drop body', 'contract')
    await migrateAll()
    expect(await rowsOf("select to_regclass('bodies') as bodies")).toEqual([{ bodies: null }])
  })

  test('are left alone while neither texts nor tables change', async () => {
    write('001_first.sql', 'create table note (id int)')
    writeView('notes', 'select id from note')
    await migrateAll()
    // A rebuild would need a lock on the view, and wait.
    await query('begin; lock table notes in access share mode')
    await migrateAll()
    await query('rollback')
  })

  test('of a newer release are left as they are by a server of an older one', async () => {
    write('001_first.sql', 'create table note (id int)')
    writeView('notes', 'select id from note')
    await migrateAll()
    writeView('notes', 'select id, 1 as one from note')
    await query("update built_view set release = '99.10.0'")
    await migrateAll()
    expect(await columnsOf('notes')).toEqual(['id'])
    await query("update built_view set release = '0.1.9'")
    await migrateAll()
    expect(await columnsOf('notes')).toEqual(['id', 'one'])
  })

  test('do not keep a contract migration from dropping a column that they read', async () => {
    write('001_first.sql', 'create table note (id int, body text)')
    writeView('notes', 'select n.* from note n')
    await migrateAll()
    write('002_second.sql', 'alter table note drop body', 'contract')
    write('003_third.sql', 'alter table note add words text')
    await migrateAll()
    expect(await columnsOf('notes')).toEqual(['id', 'words'])
  })

  test('do not keep a contract migration from it whose first step is none of a transaction', async () => {
    write('001_first.sql', 'create table note (id int, body text)')
    writeView('notes', 'select n.* from note n')
    await migrateAll()
    const index = '-- step: concurrently\ncreate index concurrently note_id on note (id);\n'
    write('002_second.sql', `${index}-- step\nalter table note drop body;\n`, 'contract')
    await migrateAll()
    expect(await columnsOf('notes')).toEqual(['id'])
  })

  test('with a mistake name file and line, and stay as they were', async () => {
    write('001_first.sql', 'create table note (id int)')
    writeView('notes', 'select id from note')
    await migrateAll()
    write('002_second.sql', 'alter table note add body text')
    writeView('notes', 'select id,\n  boddy\nfrom note')
    await expect(migrateAll()).rejects.toThrow(
      `${viewPathOf('notes.sql')}:2: column "boddy" does not exist. Nothing of this file was applied.`,
    )
    expect(await columnsOf('notes')).toEqual(['id'])
    writeView('notes', 'select * from words')
    writeView('words', 'select * from notes')
    await expect(migrateAll()).rejects.toThrow('a view cannot read itself (notes reads words reads notes)')
  })
})

test('the next steps of actions are carried over as tasks, and their issues have the same ones as before', async () => {
  const source = 'src/server/ops/migrations'
  const [tasks] = readdirSync(source).filter((name) => name.endsWith('_tasks.sql'))
  const copy = (name: string) => copyFileSync(join(source, name), pathOf(name))
  for (const name of readdirSync(source)) if (name < tasks) copy(name)
  await migrateAll()
  await query(`set time zone 'Europe/London';
    insert into staff (username) values ('ann'), ('ben');
    insert into case_types (label, service) values ('Type', 1);
    insert into clients (first_name, last_name) values ('Cleo', 'Example');
    insert into cases (client, service, case_type, case_type_version, contract) values (1, 1, 1, 1, 1);
    insert into issues ("case", service, contract, case_type_version, issue_type, start_date, advocate)
      select 1, 1, 1, 1, 1, '2026-01-01', 1 from generate_series(1, 2);
    insert into actions (issue, "case", type, done_on, next_step, next_due, next_done_on, created_by) values
      (1, 1, 1, '2026-01-02', 'Ring', '2026-02-01', '2026-01-20', 2),
      (1, 1, 1, '2026-01-03', 'Visit', '2026-03-01', null, 2),
      (1, 1, 1, '2026-01-04', 'Write', '2026-02-20', null, 2),
      (2, 1, 1, '2026-01-05', null, '2026-02-20', null, 2),
      (2, 1, 1, '2026-01-06', 'Without a day', null, null, 2),
      (null, 1, 1, '2026-01-07', 'On the case', '2026-02-20', null, 2)`)
  const stepsOf = async (columns: string) =>
    await rowsOf(`select id, next_due::text, ${columns} from issues order by id`)
  const before = await stepsOf('next_step')
  copy(tasks)
  expect(await migrateAll()).toEqual([tasks.replace('.sql', '')])
  const { rows } = await query(`select action, title, due::text, assignee, created_by, issue, client,
    done_at::date::text as done from tasks order by id`)
  const of = { created_by: 2, client: 1 }
  expect(rows).toEqual([
    { ...of, action: 1, title: 'Ring', due: '2026-02-01', assignee: 1, issue: 1, done: '2026-01-20' },
    { ...of, action: 2, title: 'Visit', due: '2026-03-01', assignee: 1, issue: 1, done: null },
    { ...of, action: 3, title: 'Write', due: '2026-02-20', assignee: 1, issue: 1, done: null },
    { ...of, action: 4, title: 'Next step', due: '2026-02-20', assignee: 1, issue: 2, done: null },
    { ...of, action: 6, title: 'On the case', due: '2026-02-20', assignee: 2, issue: null, done: null },
  ])
  expect(await stepsOf('next_step, next_task')).toEqual([
    { ...before[0], next_task: 3 },
    { ...before[1], next_step: 'Next step', next_task: 4 },
  ])
  // The release before goes on writing the columns of actions.
  await query(`update actions set next_done_on = '2026-02-02' where id = 3`)
  expect(await stepsOf('next_step')).toMatchObject([{ next_step: 'Visit', next_due: '2026-03-01' }, {}])
})
