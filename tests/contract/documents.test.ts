import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'src/README.md', 'screens/README.md', 'schemas/README.md']
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')
/** The address of a heading, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
const anchorsOf = (text: string) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading))

it.each(DOCUMENTS)('every link of %s leads to a file, and to a heading of it', (document) => {
  const links = [...read(document).matchAll(/\]\((?!http)([^)#]*)#?([^)]*)\)/g)]
  expect(links.length).toBeGreaterThan(0)
  const broken = links.filter(([, address, anchor]) => {
    const file = address ? path.join(path.dirname(document), address) : document
    if (!fs.existsSync(path.join(root, file))) return true
    return anchor !== '' && !anchorsOf(read(file)).includes(anchor)
  })
  expect(broken.map(([link]) => link)).toEqual([])
})

const FOLDERS = ['src', 'schemas', 'screens', 'tests']
const sources = () => FOLDERS.flatMap((folder) => filesIn(folder)).concat(fs.readdirSync(root))
const filesIn = (folder: string) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)

// The guides of screens/ and schemas/ name files that a reader makes.
it.each(['README.md', 'CONTRIBUTING.md', 'src/README.md'])('every file that %s names exists', (document) => {
  const files = sources()
  const named = [...read(document).matchAll(/`((?!dist\/)\w[\w/.-]*\.(?:tsx?|mjs|json|sql|md))`/g)].map(
    ([, name]) => name,
  )
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([])
})

it('the migrations that the guides add have numbers of their own', () => {
  const added = [...read('schemas/README.md').matchAll(/^```sql src\/server\/ops\/migrations\/(\S+)/gm)]
  const names = [
    ...fs.readdirSync(path.join(root, 'src/server/ops/migrations')),
    ...added.map(([, name]) => name),
  ]
  const numbers = names.map((name) => name.slice(0, 3))
  expect(added.length).toBeGreaterThan(0)
  expect(numbers.filter((number, i) => numbers.indexOf(number) < i)).toEqual([])
})
