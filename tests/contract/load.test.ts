import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readCodeNames } from '../../src/check/files/codeNames.ts'
import { editorNamesSchema } from '../../src/check/files/names.ts'
import { loadContract } from '../../src/check/load.ts'
import { CELLS } from '../../src/contract/generatedNames.ts'
import { printProblem } from '../../src/contract/locate.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

const root = path.join(import.meta.dirname, '../..')
let copy = ''

beforeEach(() => {
  copy = temporaryFolder('contract-')
  for (const folder of ['schemas', 'screens']) {
    fs.cpSync(path.join(root, folder), path.join(copy, folder), { recursive: true })
  }
})
afterEach(() => fs.rmSync(copy, { recursive: true }))

const write = (file: string, text: string) => fs.writeFileSync(path.join(copy, file), text)
const problems = () => loadContract(copy).problems.map(printProblem)
const screen = (lines: string[]) => `{\n${lines.map((l) => `  ${l}`).join(',\n')}\n}\n`

const LIST = [
  '"route": "/x"',
  '"kind": "list", "roles": "caseworkers"',
  '"title": "X"',
  '"source": "issues.mine"',
]
const FORM = ['"route": "/x/{id}"', '"kind": "form"', '"title": "X"', '"read": "clients.read"']

describe('loadContract', () => {
  it('finds no errors in the product’s contract', () => expect(problems()).toEqual([]))

  it('offers editors the fields of entities and the verbs of calls', () => {
    const { field, does } = editorNamesSchema(loadContract(copy).contract, readCodeNames(root)).$defs
    expect(field.enum).toContain('first_name')
    expect(does.enum).toEqual(expect.arrayContaining(['list client', 'cases.list']))
  })

  it('returns every file by its name', () => {
    const { contract } = loadContract(copy)
    expect(contract.screens['my-cases'].kind).toBe('list')
    expect(contract.endpoints['auth.login'].call).toBe('POST /login/')
    expect(contract.entities.client.title).toBe('Client')
    expect(Object.keys(contract.query)).not.toContain('$schema')
    expect(contract.screens.menu).toBeUndefined()
  })
})

describe('a contract that is noted to have no mistakes', () => {
  const checked = () => path.join(copy, 'checked')
  const load = (handlers?: string[]) => loadContract(copy, handlers, checked())
  const noted = () => (fs.existsSync(checked()) ? fs.readFileSync(checked(), 'utf8') : undefined)

  it('is the same as one that is checked, and is not checked again', () => {
    const first = load()
    expect(first.problems).toEqual([])
    // Whatever is checked is noted anew.
    const before = new Date(2020, 0)
    fs.utimesSync(checked(), before, before)
    expect(load()).toEqual(first)
    expect(fs.statSync(checked()).mtime).toEqual(before)
  })

  it.each([
    ['a screen', 'screens/x.json', screen([...FORM, '"groups": [{ "fields": ["dbo"] }]'])],
    ['a meta-schema', 'schemas/meta/roles.json', '{ "$id": "meta/roles.json", "type": "string" }'],
    ['a part that is missing', 'screens/menu.json', undefined],
  ])('is checked again after a change of %s', (_, file, text) => {
    load()
    if (text === undefined) fs.rmSync(path.join(copy, file))
    else write(file, text)
    expect(load().problems).not.toEqual([])
    expect(load().problems).not.toEqual([])
  })

  it('is checked again by a program with other handlers', () => {
    load()
    expect(load(['auth.login']).problems).not.toEqual([])
  })

  it('is not noted with a mistake, nor where nothing can be written', () => {
    write('screens/x.json', screen([...FORM, '"groups": [{ "fields": ["dbo"] }]']))
    expect([load().problems.length, noted()]).toEqual([1, undefined])
    fs.rmSync(path.join(copy, 'screens/x.json'))
    expect(loadContract(copy, undefined, path.join(copy, 'no such folder/checked')).problems).toEqual([])
  })
})

const mistakes: [name: string, file: string, text: string, expected: string[]][] = [
  [
    'a field that the entity does not have',
    'screens/x.json',
    screen([...FORM, '"groups": [{ "fields": ["title", "dbo"] }]']),
    ["screens/x.json:6:36  no field 'dbo' in client; did you mean 'dob'?"],
  ],
  [
    'a column that the row does not have',
    'screens/x.json',
    screen([...LIST, '"columns": ["id", { "field": "clientname" }]']),
    ["screens/x.json:6:32  no field 'clientname' in issueRow; did you mean 'client_name'?"],
  ],
  [
    'a filter that the call does not know',
    'screens/x.json',
    screen([...LIST, '"columns": ["id"]', '"filters": ["postcod"]']),
    ["screens/x.json:7:15  no filter 'postcod' in issues.mine; did you mean 'postcode'?"],
  ],
  [
    'an action that asks for nothing',
    'screens/x.json',
    screen([
      ...LIST,
      '"columns": ["id"]',
      '"actions": [{ "label": "Purge", "call": "issues.purge", "dialog": true }]',
    ]),
    ["screens/x.json:7:69  'Purge' has nothing to fill in: issues.purge takes no field of purged"],
  ],
  [
    'a tool that asks without a call',
    'screens/x.json',
    screen([...LIST, '"columns": ["id"]', '"toolbar": [{ "label": "Add", "dialog": true }]']),
    ["screens/x.json:7:43  'Add' opens a dialog, but has no call to fill in"],
  ],
  [
    'a record that a column names by what the row does not have',
    'screens/x.json',
    screen([...LIST, '"columns": [{ "field": "id", "record": { "entity": "postcod", "id": "id" } }]']),
    ["screens/x.json:6:54  no field 'postcod' in issueRow; did you mean 'postcode'?"],
  ],
  [
    'a call that does not exist',
    'screens/x.json',
    screen([
      '"route": "/x"',
      '"kind": "list"',
      '"title": "X"',
      '"source": "issues.mien"',
      '"columns": ["id"]',
    ]),
    ["screens/x.json:5:13  no such name 'issues.mien'; did you mean 'issues.mine'?"],
  ],
  [
    'a key that does not exist',
    'screens/x.json',
    screen([...LIST, '"columns": ["id"]', '"colums": []']),
    ["screens/x.json:7:3  no key 'colums' here; did you mean 'columns'?"],
  ],
  [
    'an icon that does not exist',
    'screens/x.json',
    screen([...LIST, '"columns": ["id"]', '"toolbar": [{ "label": "Add", "icon": "plsu", "to": "/x" }]']),
    ["screens/x.json:7:41  no such name 'plsu'; did you mean 'plus'?"],
  ],
  [
    'an icon of the menu that does not exist',
    'screens/menu.json',
    screen([
      '"dashboard": []',
      '"side": [{ "label": "Out", "icon": "logout", "does": "signOut" }]',
      '"shortcuts": []',
    ]),
    ["screens/menu.json:3:38  no such name 'logout'; did you mean 'log-out'?"],
  ],
  [
    'two screens at one address',
    'screens/x.json',
    screen(['"route": "/profile"', ...LIST.slice(1), '"columns": ["id"]']),
    ["screens/x.json:2:12  '/profile' is already the address of screens/profile.json"],
  ],
  [
    'a file that is no JSON',
    'screens/x.json',
    '{ "route": }',
    ['screens/x.json:1:12  not JSON: value expected'],
  ],
  ['a file that is a list', 'screens/x.json', '[]', ['screens/x.json:1:1  must be an object']],
  [
    'an entity whose name is not the file',
    'schemas/entities/x.json',
    screen(['"$id": "y"', '"title": "X"', '"type": "object"', '"properties": { "a": { "title": "A" } }']),
    ["schemas/entities/x.json:2:10  'y' must be the file's name, 'x'"],
  ],
  [
    'a required field that is not there',
    'schemas/entities/x.json',
    screen([
      '"$id": "x"',
      '"title": "X"',
      '"type": "object"',
      '"required": ["nmae"]',
      '"properties": { "name": { "title": "N" } }',
    ]),
    ["schemas/entities/x.json:5:16  no field 'nmae' in x; did you mean 'name'?"],
  ],
  [
    'a page of an entity that no screen is',
    'schemas/entities/x.json',
    screen([
      '"$id": "x"',
      '"title": "X"',
      '"page": "/cases/{case}/detials"',
      '"type": "object"',
      '"properties": { "a": { "title": "A" } }',
    ]),
    [
      "schemas/entities/x.json:4:11  there is nothing at '/cases/{case}/detials'; did you mean '/cases/{id}/details'?",
    ],
  ],
  [
    'a field to know before one is chosen that its list does not have',
    'schemas/entities/x.json',
    screen([
      '"$id": "x"',
      '"title": "X"',
      '"chosen": { "from": ["issues.mine"], "label": "{id}", "about": ["stat"] }',
      '"type": "object"',
      '"properties": { "a": { "title": "A" } }',
    ]),
    ["schemas/entities/x.json:4:67  no field 'stat' in what issues.mine lists; did you mean 'state'?"],
  ],
  [
    'an entity that a call names wrongly',
    'schemas/endpoints/x.json',
    screen(['"x.list": { "call": "GET /x", "does": "list clientrow", "roles": "staff" }']),
    ["schemas/endpoints/x.json:2:41  no entity 'clientrow'; did you mean 'clientRow'?"],
  ],
  [
    'a call in the wrong file',
    'schemas/endpoints/x.json',
    screen(['"y.list": { "call": "GET /x", "does": "list clientRow", "roles": "staff" }']),
    ["schemas/endpoints/x.json:2:13  'y.list' belongs in schemas/endpoints/y.json"],
  ],
  [
    'a call without roles',
    'schemas/endpoints/x.json',
    screen(['"x.list": { "call": "GET /x", "does": "list clientRow" }']),
    ["schemas/endpoints/x.json:2:13  'roles' is missing"],
  ],
  [
    'a verb that does not exist',
    'schemas/endpoints/x.json',
    screen(['"x.list": { "call": "GET /x", "does": "lists clientRow", "roles": "staff" }']),
    ["schemas/endpoints/x.json:2:41  'lists' is not a verb; did you mean 'list'?"],
  ],
  [
    'what is neither a verb nor a handler',
    'schemas/endpoints/x.json',
    screen(['"x.list": { "call": "get /x", "does": "list", "roles": "staff" }']),
    [
      "schemas/endpoints/x.json:2:23  'get /x' must look like 'GET /api/clients/{id}/tasks'",
      "schemas/endpoints/x.json:2:41  'list' is neither a verb with an entity ('list client') nor a handler ('issues.close')",
    ],
  ],
  [
    'a kind of screen that does not exist',
    'screens/x.json',
    screen(['"route": "/x"', '"kind": "lists"', '"title": "X"']),
    ["screens/x.json:3:11  no such name 'lists'; did you mean 'list'?"],
  ],
  [
    'every key that is missing',
    'screens/x.json',
    screen(LIST.slice(0, 3)),
    ["screens/x.json:1:1  'source' is missing", "screens/x.json:1:1  'columns' is missing"],
  ],
  [
    'only the wrong key if a required one is misspelt',
    'screens/x.json',
    screen([...LIST, '"columns": ["id", { "fild": "id" }]']),
    ["screens/x.json:6:23  no key 'fild' here; did you mean 'field'?"],
  ],
  [
    'only the alternative that was meant',
    'screens/x.json',
    screen([
      ...LIST,
      '"columns": [3, "id"]',
      '"actions": [{ "label": "A", "to": "/x", "when": { "record.id": { "mni": 3 } } }]',
    ]),
    [
      'screens/x.json:6:15  must be a text or an object',
      "screens/x.json:7:68  no key 'mni' here; did you mean 'min'?",
    ],
  ],
  [
    'values that a key cannot have',
    'screens/x.json',
    screen([
      ...LIST,
      '"columns": [{ "field": "id", "sort": "yes" }, { "field": "id", "shown": true }]',
      '"filters": "term"',
    ]),
    [
      'screens/x.json:6:40  must be true or false',
      'screens/x.json:6:75  must be false',
      'screens/x.json:7:14  must be a list',
      "screens/x.json:6:49  'id' is in this list twice (first at 6:15)",
    ],
  ],
  [
    'a cell that does not exist, or that is not generated yet',
    'screens/x.json',
    screen([...LIST, '"columns": [{ "field": "id", "as": "mail" }]']),
    [
      `screens/x.json:6:38  no such name 'mail'; one of ${CELLS.slice(0, 12).join(', ')}, …; if it is new, run 'npm run generate'`,
    ],
  ],
  [
    'another meta-schema than that of the folder',
    'screens/x.json',
    screen(['"$schema": "../schemas/screen.json"', ...LIST, '"columns": ["id"]']),
    ["screens/x.json:2:14  the path of the meta-schema is '../schemas/meta/screen.json'"],
  ],
  [
    'a key that stands in a file twice, at any depth',
    'screens/x.json',
    screen([...LIST, '"columns": [{ "field": "id", "as": "tag", "field": "dbo" }]', '"title": "Y"']),
    [
      "screens/x.json:6:45  'field' is here twice (first at 6:17)",
      "screens/x.json:7:3  'title' is here twice (first at 4:3)",
    ],
  ],
  [
    'a group of roles that does not exist',
    'schemas/endpoints/x.json',
    screen(['"x.list": { "call": "GET /x", "does": "list clientRow", "roles": "stuff" }']),
    ["schemas/endpoints/x.json:2:68  no such name 'stuff'; did you mean 'staff'?"],
  ],
]

describe('an error has its file, line and column', () => {
  it.each(['screens/menu.json', 'schemas/roles.json', 'screens', 'schemas/endpoints'])(
    '%s is missing',
    (file) => {
      fs.rmSync(path.join(copy, file), { recursive: true })
      const [first] = problems()
      expect(first).toBe(`${file}:1:1  this ${file.endsWith('.json') ? 'file' : 'folder'} is missing`)
    },
  )

  it.each(mistakes)('%s', (_, file, text, expected) => {
    write(file, text)
    expect(problems()).toEqual(expected)
  })
})
