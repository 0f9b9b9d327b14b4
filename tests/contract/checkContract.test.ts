import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkContract } from '../../src/contract/check.ts'
import { printProblem } from '../../src/contract/locate.ts'
import { migrationProblems, readSqlFiles, viewProblems } from '../../src/server/migrate/migrationFiles.ts'
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
    const found = await problemsWith('src/server/handlers/activities.ts', (text) =>
      text.replace('export const last:', 'const last:'),
    )
    const line = lineOf('schemas/endpoints/activities.json', '"does": "activities.last"')
    expect(found).toEqual([
      `schemas/endpoints/activities.json:${line}:13  no handler 'activities.last' in src/server/handlers; did you mean 'actions.last'?`,
    ])
  })

  it('a cell and a widget whose file is missing', async () => {
    const importOf = (name: string, file: string) => `import { ${name} } from './${file}'\n`
    const [cell, widget] = [importOf('MailCell', 'cells/MailCell.tsx'), importOf('SortCode', 'SortCode.tsx')]
    expect(await problemsWith('src/engine/registry.ts', (text) => cell + text)).toEqual([
      'src/engine/registry.ts:1:1  ./cells/MailCell.tsx does not exist',
    ])
    expect(await problemsWith('src/engine/theme/theme.ts', (text) => `\n${widget}${text}`)).toEqual([
      'src/engine/theme/theme.ts:2:1  ./SortCode.tsx does not exist',
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
    const files = readSqlFiles(path.resolve('src/server/migrations'))
    expect(files[0].path).toBe('src/server/migrations/001_schema.sql')
    expect(migrationProblems(files)).toEqual([])
    expect(viewProblems(readSqlFiles('src/server/views'))).toEqual([])
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
