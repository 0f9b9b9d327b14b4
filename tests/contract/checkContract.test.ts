import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkContract } from '../../src/check/check.ts'
import { printProblem } from '../../src/contract/locate.ts'
import { migrationProblems, readSqlFiles, viewProblems } from '../../src/server/ops/migrate/migrationFiles.ts'
import { hashProblems, readHashes, withNewHashes } from '../../src/server/ops/migrate/migrationHashes.ts'
import { stoppingStatements } from '../../src/server/ops/migrate/stoppingStatements.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

let copy = ''
beforeAll(() => {
  copy = temporaryFolder('check-')
  for (const folder of ['schemas', 'screens', 'src', 'tests/fixtures'])
    fs.cpSync(folder, path.join(copy, folder), { recursive: true })
})
afterAll(() => fs.rmSync(copy, { recursive: true }))

/** What the check reports while the text of a file is replaced. */
async function problemsWith(file: string, change: (text: string) => string): Promise<string[]> {
  const place = path.join(copy, file)
  const text = fs.readFileSync(place, 'utf8')
  fs.writeFileSync(place, change(text))
  const { problems } = await checkContract(copy)
  fs.writeFileSync(place, text)
  return problems.map(printProblem)
}
const lineOf = (file: string, words: string) =>
  fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(words)) + 1

describe('the check reports', () => {
  it('nothing for the product', async () => {
    expect((await checkContract(copy)).problems).toEqual([])
  })

  it('a generated file that is out of date', async () => {
    const file = 'src/contract/generatedNames.ts'
    const found = await problemsWith(file, (text) => text.replace("  'phone',\n", ''))
    expect(found).toEqual([`${file}:1:1  is out of date; run 'npm run generate'`])
  })

  it('a handler that is not exported any more, with the call that names it', async () => {
    const found = await problemsWith('src/server/features/entries/activities.ts', (text) =>
      text.replace('export const last:', 'const last:'),
    )
    const line = lineOf('schemas/endpoints/activities.json', '"does": "activities.last"')
    expect(found).toEqual([
      `schemas/endpoints/activities.json:${line}:13  no handler 'activities.last' in src/server/features/handlers.ts; did you mean 'actions.last'?`,
    ])
  })

  it('a cell and a widget whose file is missing', async () => {
    const importOf = (name: string, file: string) => `import { ${name} } from './${file}'\n`
    const [cell, widget] = [importOf('MailCell', 'MailCell.tsx'), importOf('SortCode', 'SortCode.tsx')]
    expect(await problemsWith('src/engine/cells/cells.ts', (text) => cell + text)).toEqual([
      'src/engine/cells/cells.ts:1:1  ./MailCell.tsx does not exist',
    ])
    expect(await problemsWith('src/engine/form/theme/theme.ts', (text) => `\n${widget}${text}`)).toEqual([
      'src/engine/form/theme/theme.ts:2:1  ./SortCode.tsx does not exist',
    ])
  })

  it('a call whose roles the tests do not know, with the line to insert, and a line without a call', async () => {
    const file = 'tests/fixtures/own-calls.tsv'
    const line = 'bulk\tGET\t/api/bulk/template\t1,3,7'
    const at = lineOf(file, line)
    expect(await problemsWith(file, (text) => text.replace(`${line}\n`, ''))).toEqual([
      `${file}:${at}:1  insert the roles of bulk.template:\n${line}`,
    ])
    expect(await problemsWith(file, (text) => `${text}zebras\tGET\t/api/zebras\tANY\n`)).toEqual([
      `${file}:${lineOf(file, 'worklist\tGET') + 1}:1  there is no such call: delete this line`,
    ])
  })
})

describe('the check of SQL files', () => {
  const sqlFiles = (files: Record<string, string>) => {
    const folder = fs.mkdtempSync(path.join(copy, 'sql-'))
    for (const [name, sql] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), sql)
    return readSqlFiles(folder).map((file) => ({ ...file, path: path.basename(file.path) }))
  }

  it('finds nothing wrong in the product, whose files it names from the root of the project', () => {
    const files = readSqlFiles(path.resolve('src/server/ops/migrations'))
    expect(files[0].path).toBe('src/server/ops/migrations/001_schema.sql')
    expect(migrationProblems(files)).toEqual([])
    expect(viewProblems(readSqlFiles('src/server/ops/views'))).toEqual([])
  })

  it('reports a migration without a kind or a number, and a number that is used twice', () => {
    const files = sqlFiles({
      '001_first.sql': '-- kind: expand\n',
      '002_second.sql': '-- kind: other\n',
      '002_sixth.sql': '-- kind: contract\n',
      'note-size.sql': '-- kind: expand\n',
    })
    expect(migrationProblems(files).map(printProblem)).toEqual([
      '002_second.sql:1:1  begin with "-- kind: expand", or with "-- kind: contract" where the release before cannot run on with it',
      '002_sixth.sql:1:1  002_second.sql has the same number: give the new one of both 003',
      'note-size.sql:1:1  name it 003_note_size.sql',
    ])
  })

  it('reports a view with more than its query, or with a name that needs quotes', () => {
    const files = sqlFiles({
      'clientNames.sql': '-- Names.\nselect 1 as id',
      'made.sql': 'create view made as select 1 as id',
    })
    expect(viewProblems(files).map(printProblem)).toEqual([
      'clientNames.sql:1:1  a view is named by small letters, digits and _',
      "made.sql:1:1  write the query of the view only, from 'select' or 'with' on",
    ])
  })
})

describe('the check of what a migration does to people', () => {
  const problemsOf = async (sql: string, { kind = 'expand', name = '030_new' } = {}) => {
    const file = { name, path: `${name}.sql`, hash: '', sql: `-- kind: ${kind}\n${sql}` }
    return (await stoppingStatements([file])).map(printProblem)
  }
  const NEVER_NULL = `-- step
alter table clients add constraint named check (first_name is not null) not valid;
-- step
alter table clients validate constraint named;
-- step
alter table clients alter first_name set not null;`

  it.each([
    ['an index on an old table', 'create index on clients (dob)', 'its index is built'],
    ['a change of type', 'alter table clients alter dob type text', 'written anew'],
    [
      'a default that differs by row',
      'alter table clients add made timestamptz default clock_timestamp()',
      'written anew',
    ],
    [
      'a stored generated column',
      "alter table clients add x text generated always as (first_name || '!') stored",
      'written anew',
    ],
    ['an identity', 'alter table clients add n int generated by default as identity', 'written anew'],
    ['a serial', 'alter table clients add n serial', 'written anew'],
    ['not null without a check', 'alter table clients alter dob set not null', 'in a step of its own'],
    ['a new column that is never null', 'alter table clients add n int not null', 'with a constant default'],
    [
      'a check that is validated at once',
      'alter table clients add constraint c check (dob is not null)',
      'as not valid',
    ],
    [
      'a foreign key that is validated at once',
      'alter table clients add foreign key (gp) references staff',
      'as not valid',
    ],
    ['a unique constraint', 'alter table clients add unique (nhs_number)', 'constraint using it'],
    [
      'a validation beside other statements',
      'alter table clients add n int; alter table clients validate constraint c',
      'in a step of its own',
    ],
    ['an update of all rows', 'update clients set dob = null', 'step: batched clients'],
    [
      'an update of many rows',
      'update clients k set dob = null from cases c where c.client = k.id',
      'step: batched clients',
    ],
    [
      'an update inside a query',
      'with u as (update clients set dob = null returning id) select 1 from u',
      'step: batched clients',
    ],
    ['a delete of many rows', 'delete from clients where id > 5', 'step: batched clients'],
    [
      'a copy of a table',
      'create table copy (id int); insert into copy select id from clients',
      'step: batched clients',
    ],
    ['a do block', 'do $$ begin update clients set dob = null; end $$', 'cannot read a do block'],
    ['a locked table', 'lock table clients', 'leave it out'],
    ['a dropped column in an expand migration', 'alter table clients drop dob', 'still uses dob'],
    ['a dropped table in an expand migration', 'drop table clients', 'still uses clients'],
    ['a renamed column in an expand migration', 'alter table clients rename dob to born', 'still uses dob'],
    ['a mistake', 'selec 1', 'syntax error'],
  ])('reports %s', async (_, sql, words) => {
    expect(await problemsOf(`\n${sql};\n`)).toEqual([
      expect.stringMatching(new RegExp(`^030_new\\.sql:3:1  .*${words}`)),
    ])
    expect(await problemsOf(sql, { name: '029_old' })).toEqual([])
  })

  it.each([
    [
      'a new column, also with a constant',
      "alter table clients add a int, add b text not null default '', add c date references staff",
    ],
    [
      'a default that is the same for all rows',
      'alter table clients add a timestamptz not null default now()',
    ],
    [
      'all of a table that is new',
      'create table n (id int); create index on n (id); update n set id = 1; alter table n alter id type text',
    ],
    [
      'a constraint that is validated later',
      'alter table clients add constraint c check (dob is not null) not valid',
    ],
    ['a column that was checked before it is never null', NEVER_NULL],
    [
      'an index beside people',
      '-- step: concurrently\ncreate index concurrently clients_dob on clients (dob)',
    ],
    [
      'a batched update',
      '-- step: batched clients\nupdate clients set dob = null where id between $1 and $2',
    ],
    [
      'a batched copy',
      '-- step: batched clients\ninsert into other select id from clients where id between $1 and $2',
    ],
    [
      'one row by its key',
      "update setting set value = '1' where name = 'consent'; delete from setting where name in ('a', 'b')",
    ],
    [
      'rows that it writes itself',
      'insert into lookup_items (id) values (1), (2); insert into lookup_items select generate_series(3, 4)',
    ],
    [
      'functions and triggers',
      'create or replace function f() returns trigger language plpgsql as $$ begin update clients set dob = null; return new; end $$',
    ],
  ])('accepts %s', async (_, sql) => {
    expect(await problemsOf(sql)).toEqual([])
  })

  it('lets a contract migration drop and rename', async () => {
    const sql =
      'alter table clients drop dob, drop gp; drop table risks; alter table clients rename town to city'
    expect(await problemsOf(sql, { kind: 'contract' })).toEqual([])
  })
})

describe('the hashes of migrations', () => {
  const files = [
    { name: '001_first', path: '001_first.sql', sql: '', hash: 'a'.repeat(64) },
    { name: '002_second', path: '002_second.sql', sql: '', hash: 'b'.repeat(64) },
  ]
  const hashes = new Map(files.map(({ name, hash }) => [name, hash]))

  it('of the product are those of its files', () => {
    const folder = 'src/server/ops/migrations'
    expect(hashProblems(readSqlFiles(path.resolve(folder)), readHashes(folder))).toEqual([])
  })

  it('report a migration that was edited, removed or not listed', () => {
    const edited = [{ ...files[0], hash: 'c'.repeat(64) }, files[1]]
    expect(hashProblems(files, hashes)).toEqual([])
    expect(hashProblems(edited, hashes).map(printProblem)).toEqual([
      expect.stringContaining('001_first.sql:1:1  a migration is never edited'),
    ])
    expect(hashProblems([files[0]], hashes).map(printProblem)).toEqual([
      expect.stringContaining('the migration 002_second.sql is gone'),
    ])
    expect(hashProblems(files, new Map([['001_first', files[0].hash]])).map(printProblem)).toEqual([
      '002_second.sql:1:1  its hash is not in SHA256SUMS: run npm run generate',
    ])
  })

  it('are added for new files and never changed', () => {
    const before = new Map([['001_first', 'c'.repeat(64)]])
    expect(withNewHashes(files, before)).toBe(
      `${'c'.repeat(64)}  001_first.sql\n${'b'.repeat(64)}  002_second.sql\n`,
    )
  })
})
