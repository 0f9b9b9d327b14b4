import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { useMigrationFolders } from './migrationFolders.ts'

const { url, said, write, writeView, remove, migrateAll, refuse, query, rowsOf } = useMigrationFolders()

const NOTES = 'create table note (id int primary key, body text)'
const FILL = '-- step: batched note\nupdate note set body = $1 || $2::text where id between $1 and $2;'

/** Holds locks in a session of its own until it ends. */
async function session(sql: string): Promise<Client> {
  const client = new Client({ connectionString: url() })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(sql)
  return client
}

const waiting = () =>
  rowsOf(`select query from pg_locks l join pg_stat_activity a using (pid)
    where not l.granted and a.application_name = 'migrate' and a.datname = current_database()`)

describe('a migration with steps', () => {
  it('runs them in order and records the kind of each', async () => {
    write('001_first.sql', `-- Why.\n-- step\n${NOTES};\ninsert into note select generate_series(1, 3);\n`)
    write(
      '002_second.sql',
      `-- step\nalter table note add size int;
-- step: batched note\nupdate note set size = 10 * id where id between $1 and $2;
-- step: concurrently\ncreate index concurrently note_size on note (size);\n`,
    )
    expect(await migrateAll()).toEqual(['001_first', '002_second'])
    expect(await rowsOf('select id, size from note order by id')).toEqual(
      [1, 2, 3].map((id) => ({ id, size: 10 * id })),
    )
    expect(
      await rowsOf(
        'select migration, step, kind, runs, finished_at is not null as done from migration_step order by 1, 2',
      ),
    ).toEqual([
      { migration: '001_first', step: 1, kind: 'expand', runs: 'transaction', done: true },
      { migration: '002_second', step: 1, kind: 'expand', runs: 'transaction', done: true },
      { migration: '002_second', step: 2, kind: 'expand', runs: 'batched', done: true },
      { migration: '002_second', step: 3, kind: 'expand', runs: 'concurrently', done: true },
    ])
    expect(await rowsOf('select name, kind from migration order by 1')).toEqual([
      { name: '001_first', kind: 'expand' },
      { name: '002_second', kind: 'expand' },
    ])
  })

  it('names the line of a mistake, keeps the steps before, and goes on there once it is mended', async () => {
    write(
      '001_first.sql',
      `-- step\n${NOTES};\n-- step\nalter table note add size int;\n\nselect nonsense;\n`,
    )
    await expect(migrateAll()).rejects.toThrow(
      /001_first\.sql:7: column "nonsense" does not exist\. Nothing of step 2 was applied, and step 1 was applied\./,
    )
    write('001_first.sql', `-- step\n${NOTES};\n-- step\nalter table note add size int;\n`)
    expect(await migrateAll()).toEqual(['001_first'])
    expect(await rowsOf('select body, size from note')).toEqual([])
  })

  it('is refused if a step that was applied has changed', async () => {
    write('001_first.sql', `-- step\n${NOTES};\n-- step\nselect nonsense;\n`)
    await expect(migrateAll()).rejects.toThrow('nonsense')
    write('001_first.sql', `-- step\n${NOTES.replace('text', 'int')};\n-- step\nselect 1;\n`)
    await expect(migrateAll()).rejects.toThrow(/Step 1 of .*001_first\.sql has changed since it was applied/)
  })
})

describe('a batched step', () => {
  it('takes every id once, with gaps, negative ones and the first and last of a range', async () => {
    write('001_first.sql', `${NOTES};\ninsert into note select i * i - 500 from generate_series(1, 1000) i`)
    await migrateAll()
    await query('alter table note add fills int not null default 0')
    write(
      '002_fill.sql',
      '-- step: batched note\nupdate note set fills = fills + 1 where id between $1 and $2;\n',
    )
    await migrateAll()
    expect(await rowsOf('select fills, count(*)::int as n from note group by 1')).toEqual([
      { fills: 1, n: 1000 },
    ])
    expect(
      await rowsOf(
        'select rows_done::int, rows_total::int from migration_step where step = 1 and rows_total > 0',
      ),
    ).toEqual([{ rows_done: 1000, rows_total: 1000 }])
  })

  it('is planned without walks along an index, which a limit makes look short', async () => {
    write('001_first.sql', `-- step\n${NOTES};\ninsert into note values (1);\n`)
    write(
      '002_fill.sql',
      "-- step: batched note\nupdate note set body = current_setting('enable_indexscan') where id between $1 and $2;\n",
    )
    await migrateAll()
    expect(await rowsOf('select body from note')).toEqual([{ body: 'off' }])
  })

  it('of an empty table is done at once', async () => {
    write('001_first.sql', `-- step\n${NOTES};\n${FILL}`)
    expect(await migrateAll()).toEqual(['001_first'])
  })

  it('goes on after the range that an error stopped, and says so', async () => {
    write('001_first.sql', `${NOTES};\ninsert into note select generate_series(1, 1000)`)
    await migrateAll()
    await query('alter table note add fills int not null default 0')
    const fill = (last: number) =>
      `-- step: batched note\nupdate note set fills = fills + 1 / (case when id > ${last} then 0 else 1 end) where id between $1 and $2;\n`
    write('002_fill.sql', fill(500))
    await expect(migrateAll()).rejects.toThrow('division by zero. What step 1 filled before stays filled')
    const [{ n }] = await rowsOf('select count(*)::int as n from note where fills = 1')
    expect(n).toBeGreaterThan(0)
    write('002_fill.sql', fill(1000))
    await migrateAll()
    expect(await rowsOf('select fills, count(*)::int as n from note group by 1')).toEqual([
      { fills: 1, n: 1000 },
    ])
    expect(said).toContain(`002_fill, step 1 of 1: goes on after ${n} of 1000 rows.`)
  })

  it('goes on where it was when its session is killed', async () => {
    write('001_first.sql', `${NOTES};\ninsert into note select generate_series(1, 3000)`)
    await migrateAll()
    await query('alter table note add fills int not null default 0')
    write(
      '002_fill.sql',
      '-- step: batched note\nupdate note set fills = fills + 1 from (select pg_sleep(0.05)) s where id between $1 and $2;\n',
    )
    const killed = migrateAll().catch(({ message }) => message)
    await expect
      .poll(() => rowsOf(`select 1 from migration_step where migration = '002_fill' and rows_done > 0`), {
        timeout: 20_000,
      })
      .toHaveLength(1)
    await query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'migrate' and datname = current_database()`)
    expect(await killed).toMatch(/terminat|connection/)
    await expect(refuse()).rejects.toThrow('The database lacks 002_fill.')
    expect(await migrateAll()).toEqual(['002_fill'])
    expect(await rowsOf('select fills, count(*)::int as n from note group by 1')).toEqual([
      { fills: 1, n: 3000 },
    ])
  })

  it('lets others change rows of its table between two ranges', async () => {
    write('001_first.sql', `${NOTES};\ninsert into note select generate_series(1, 2000)`)
    await migrateAll()
    const other = await session('begin; update note set body = id::text where id = 1500')
    write('002_fill.sql', `-- step\nalter table note add filled int;\n`)
    // The step waits for this transaction in short attempts.
    const migrated = migrateAll()
    await expect.poll(waiting, { interval: 20, timeout: 20_000 }).toHaveLength(1)
    await other.query('commit')
    await migrated
    write('003_fill.sql', '-- step: batched note\nupdate note set filled = 1 where id between $1 and $2;\n')
    await other.query('begin; update note set body = id::text where id = 1500')
    const filled = migrateAll()
    await expect.poll(() => said.some((words) => words.includes('003_fill')), { timeout: 20_000 }).toBe(true)
    await query('update note set body = id::text where id = 1')
    await other.query('commit')
    await filled
    await other.end()
    expect(await rowsOf('select count(*)::int as n from note where filled = 1')).toEqual([{ n: 2000 }])
  })
})

describe('a concurrent step', () => {
  const INDEX = '-- step: concurrently\ncreate unique index concurrently note_body on note (body);\n'

  it('drops the invalid index of an attempt that failed and builds it again', async () => {
    write('001_first.sql', `${NOTES};\ninsert into note values (1, 'same'), (2, 'same')`)
    await migrateAll()
    write('002_index.sql', INDEX)
    await expect(migrateAll()).rejects.toThrow('could not create unique index "note_body"')
    expect(await rowsOf(`select indisvalid from pg_index where indexrelid = 'note_body'::regclass`)).toEqual([
      { indisvalid: false },
    ])
    await query(`update note set body = 'other' where id = 2`)
    expect(await migrateAll()).toEqual(['002_index'])
    expect(await rowsOf(`select indisvalid from pg_index where indexrelid = 'note_body'::regclass`)).toEqual([
      { indisvalid: true },
    ])
  })

  it('is done if its index was built but not recorded', async () => {
    write('001_first.sql', `${NOTES};\ncreate unique index note_body on note (body)`)
    await migrateAll()
    write('002_index.sql', INDEX)
    expect(await migrateAll()).toEqual(['002_index'])
  })

  it('drops an index, also one that is gone', async () => {
    write('001_first.sql', `${NOTES};\ncreate index note_body on note (body)`)
    const drop = '-- step: concurrently\ndrop index concurrently note_body;\n'
    write('002_drop.sql', drop)
    write('003_again.sql', drop)
    await migrateAll()
    expect(await rowsOf(`select to_regclass('note_body') as found`)).toEqual([{ found: null }])
  })

  it('lets others write while it waits for an old transaction', async () => {
    write('001_first.sql', NOTES)
    await migrateAll()
    const old = await session('begin; insert into note values (1)')
    write('002_index.sql', INDEX)
    const migrated = migrateAll()
    await expect.poll(waiting, { interval: 20, timeout: 20_000 }).toHaveLength(1)
    await query('insert into note values (2)')
    await old.query('commit')
    await old.end()
    expect(await migrated).toEqual(['002_index'])
  })
})

describe('a lock that others hold', () => {
  it('is waited for with what it waits for on the console, until the patience ends, and then again', async () => {
    write('001_first.sql', NOTES)
    await migrateAll()
    const holder = await session(`set application_name = 'a long report'; begin; select from note`)
    write('002_second.sql', 'alter table note add size int')
    await expect(migrateAll(1)).rejects.toThrow(
      /^The database cannot be migrated: 002_second, step 1 of 1 waits for the table note, which "a long report" \(process \d+\) uses, and has tried for 1 seconds \(MIGRATE_PATIENCE\)/,
    )
    expect(said[0]).toMatch(
      /^002_second, step 1 of 1 waits for the table note, which "a long report" .* tries again/,
    )
    await holder.end()
    expect(await migrateAll(1)).toEqual(['002_second'])
  })
})

describe('views', () => {
  const idOf = async (view: string) =>
    (
      await rowsOf(
        `select '${view}'::regclass::oid as id, xmin from pg_class where oid = '${view}'::regclass`,
      )
    )[0]
  const built = async () =>
    (await rowsOf('select name, xmin::text as by from built_view order by 1')).map(({ name, by }) => [
      name,
      by,
    ])

  it('are built anew only where their text or the columns of what they read changed', async () => {
    write('001_first.sql', `${NOTES}; create table other (id int)`)
    writeView('notes', 'select id, body from note')
    writeView('others', 'select id from other')
    writeView('both', 'select notes.id from notes join others using (id)')
    await migrateAll()
    const before = Object.fromEntries(await built())
    const id = await idOf('others')
    write('002_second.sql', 'alter table note add size int; create index on other (id)')
    await migrateAll()
    const after = Object.fromEntries(await built())
    expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual(['both', 'notes'])
    expect(await idOf('others')).toEqual(id)
    writeView('others', 'select id, 1 as one from other')
    await migrateAll()
    const last = Object.fromEntries(await built())
    expect(Object.keys(last).filter((name) => last[name] !== after[name])).toEqual(['both', 'others'])
  })

  it('are built one by one, so that a view in use does not hold up the others', async () => {
    write('001_first.sql', NOTES)
    writeView('a_notes', 'select id from note')
    writeView('z_notes', 'select id from note')
    await migrateAll()
    const reader = await session('begin; select from z_notes')
    writeView('a_notes', 'select id, body from note')
    writeView('z_notes', 'select id, body from note')
    const migrated = migrateAll()
    await expect.poll(waiting, { interval: 20, timeout: 20_000 }).toHaveLength(1)
    expect(await rowsOf('select body from a_notes')).toEqual([])
    await reader.query('commit')
    await reader.end()
    await migrated
    expect(await rowsOf('select body from z_notes')).toEqual([])
  })

  it('that a change of columns drops are created again with those that read them', async () => {
    write('001_first.sql', NOTES)
    writeView('notes', 'select n.*, 1 as one from note n')
    writeView('readers', 'select * from notes')
    writeView('readers_of_readers', 'select * from readers')
    await migrateAll()
    write('002_second.sql', 'alter table note add size int')
    await migrateAll()
    expect(await rowsOf('select size, one from readers_of_readers')).toEqual([])
  })
})

describe('a database that a newer release has upgraded', () => {
  it('is used, and reported as newer, if its unknown migrations are complete and only expand it', async () => {
    write('001_first.sql', NOTES)
    write(
      '002_second.sql',
      '-- step\nalter table note add size int;\n-- step: concurrently\ncreate index concurrently note_size on note (size);\n',
    )
    await migrateAll()
    remove('002_second.sql')
    await refuse()
    expect(await migrateAll()).toEqual([])
    expect(said.filter((words) => words.includes('newer release (002_second)'))).toHaveLength(2)
  })

  it('gets the pending migrations of the older release nevertheless', async () => {
    write('001_first.sql', NOTES)
    write('900_newer.sql', 'alter table note add size int')
    await migrateAll()
    remove('900_newer.sql')
    write('002_second.sql', 'alter table note add words text')
    expect(await migrateAll()).toEqual(['002_second'])
  })

  it.each([
    ['a contract migration', 'contract', ''],
    ['an incomplete migration', 'expand', '-- step\nselect nonsense;\n'],
  ])('is refused after %s', async (_, kind, more) => {
    write('001_first.sql', NOTES)
    await migrateAll()
    write('002_second.sql', `-- step\nalter table note add size int;\n${more}`, kind)
    await migrateAll().catch(() => undefined)
    remove('002_second.sql')
    await expect(migrateAll()).rejects.toThrow('002_second')
    await expect(refuse()).rejects.toThrow('002_second')
  })

  it('is refused if nothing says of what kind an unknown migration is', async () => {
    await query(`create table migration (name text primary key, hash text not null);
      insert into migration values ('900_unknown', '')`)
    await expect(migrateAll()).rejects.toThrow('is not known to be one that only expands the schema')
  })
})
