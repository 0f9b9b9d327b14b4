import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadContract } from '../../src/check/load.ts'
import { undescribedKeys } from '../../src/check/reference/metaSchemas.ts'
import { guides } from '../../src/check/reference/reference.ts'
import { printProblem } from '../../src/contract/locate.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

const root = path.join(import.meta.dirname, '../..')
let copy = ''
beforeEach(() => {
  copy = temporaryFolder('reference-')
  for (const folder of ['schemas', 'screens', 'src/engine', 'src/server/ops/demo'])
    fs.cpSync(path.join(root, folder), path.join(copy, folder), { recursive: true })
})
afterEach(() => fs.rmSync(copy, { recursive: true }))

const page = (folder: string) => guides(copy, loadContract(copy).contract)[`${folder}/README.md`]
/** The cells of the row of a key below a heading. */
const row = (text: string, heading: string, key: string) => {
  const section = text.split(`### ${heading}\n`)[1].split('\n### ')[0]
  const line = section.split('\n').find((one) => one.startsWith(`| ${key} |`))
  return line?.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, ''))
}
const edit = (file: string, change: (text: string) => string) =>
  fs.writeFileSync(path.join(copy, file), change(fs.readFileSync(path.join(copy, file), 'utf8')))

describe('the reference', () => {
  it('is up to date, and leaves what is written before it', () => {
    for (const folder of ['screens', 'schemas']) {
      const written = fs.readFileSync(path.join(root, folder, 'README.md'), 'utf8')
      expect(page(folder)).toBe(written)
    }
    edit('screens/README.md', (text) => `${text.replace('# Screens\n', '# Our screens\n')}More below.\n`)
    expect(page('screens')).toMatch(/^# Our screens\n/)
    expect(page('screens')).not.toContain('More below.')
  })

  it('has no empty cell in a row of a key', () => {
    const lines = ['screens', 'schemas'].flatMap((folder) => page(folder).split('\n'))
    const rows = lines.filter((line) => line.startsWith('| `')).map((line) => line.slice(2, -2).split(' | '))
    expect(rows.length).toBeGreaterThan(200)
    expect(rows.filter((cells) => cells.some((cell) => cell.trim() === ''))).toEqual([])
  })

  it('names every kind, cell, widget, verb and operator', () => {
    const [screens, schemas] = [page('screens'), page('schemas')]
    for (const kind of ['List', 'Form', 'Detail', 'Wizard', 'Assign', 'Custom'])
      expect(screens).toContain(`### ${kind} screen\n`)
    for (const test of ['a value', 'a list', '`not`', '`min`', '`max`', '`set`', '`any`'])
      expect(row(screens, 'Conditions', test)).toHaveLength(4)
    for (const verb of ['list', 'read', 'create', 'update', 'remove', 'retire', 'unretire', 'upload'])
      expect(row(schemas, 'Verbs', `\`${verb}\``)).toHaveLength(3)
    const cells = '[`size`](../src/engine/cells/SizeCell.tsx)'
    expect(row(screens, 'Cells', cells)?.[1]).toMatch(/^A size in bytes/)
    const widget = '[`phone`](../src/engine/form/widgets/Phone.tsx)'
    expect(row(screens, 'Widgets', widget)?.slice(1, 3)).toEqual([
      'Telephone: one number',
      '`"020 7946 0000"`',
    ])
  })

  it('takes the shortest use of a key, with its file', () => {
    fs.writeFileSync(
      path.join(copy, 'screens/x.json'),
      `{\n  "route": "/x",\n  "kind": "list",\n  "title": "X",\n  "source": "issues.mine",\n  "columns": ["id"]\n}\n`,
    )
    const text = page('screens')
    expect(row(text, 'Every screen', '`route`')?.[3]).toBe('`"route": "/x"` [x.json](x.json)')
    expect(row(text, 'List screen', '`columns`')).toEqual([
      '`columns`',
      'list: field name or [column](#column), required',
      'Columns of the table, from left to right. A name alone is a column of that field.',
      '`"columns": ["id"]` [x.json](x.json)',
    ])
  })

  it('says where a key is used by nobody', () => {
    edit('schemas/meta/menu.json', (text) =>
      text.replace(
        '"properties": {',
        '"properties": {\n    "footer": { "description": "Never yet.", "type": "string" },',
      ),
    )
    expect(row(page('screens'), 'Menus', '`footer`')).toEqual([
      '`footer`',
      'text',
      'Never yet.',
      'not used yet',
    ])
  })
})

describe('a key without a description', () => {
  it('is found by its place, whether it is a key of an object or of an alternative', () => {
    expect(undescribedKeys(copy)).toEqual([])
    edit('schemas/meta/menu.json', (text) => text.replace('"description": "Label of the entry.", ', ''))
    edit('schemas/meta/when.json', (text) =>
      text.replace('"description": "At least this number or date.", ', ''),
    )
    expect(undescribedKeys(copy).map(printProblem)).toEqual([
      expect.stringMatching(
        /^schemas\/meta\/menu\.json:\d+:11 {2}'label' has no description: say what it means/,
      ),
      expect.stringMatching(/^schemas\/meta\/when\.json:\d+:13 {2}'min' has no description/),
    ])
  })
})
