import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { withGroupedImports } from './groups.mjs'
import { patchProblem, replaceIn } from './patches.mjs'

const require = createRequire(import.meta.url)
const library = (name) => path.join(path.dirname(require.resolve(`${name}/package.json`)), 'lib/esm')
const ENTRIES = {
  '@blueprintjs/core': path.join(library('@blueprintjs/core'), 'index.js'),
  '@blueprintjs/icons': path.join(library('@blueprintjs/icons'), 'generated/index.js'),
}
const CLASSES = /@blueprintjs[\\/](core|table)[\\/]lib[\\/]esm[\\/]common[\\/]classes\.js$/

/**
 * Number of times that functions of each file put the namespace into a class name that they make from their arguments.
 */
const CLASS_FUNCTIONS = { core: 5, table: 4 }

const itemsOf = (list) =>
  list
    .replace(/\/\/.*$/gm, '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

function fileOf(importer, specifier) {
  const base = path.resolve(path.dirname(importer), specifier)
  return [base, `${base}.js`, path.join(base, 'index.js')].find(
    (file) => file.endsWith('.js') && existsSync(file),
  )
}

const isIndex = (file) => file !== undefined && path.basename(file) === 'index.js'
const cache = new Map()

/** Where each export of an index is defined: name → { file, name }, with name '*' for a whole module. */
export function exportsOf(index) {
  if (cache.has(index)) return cache.get(index)
  const found = new Map()
  cache.set(index, found)
  const text = readFileSync(index, 'utf8')
  for (const [, list, from] of text.matchAll(/^export \{([^}]*)\} from "(\.[^"]*)"/gm)) {
    const file = fileOf(index, from)
    for (const item of itemsOf(list)) {
      const [name, alias = name] = item.split(/\s+as\s+/)
      found.set(alias, (isIndex(file) && exportsOf(file).get(name)) || { file, name })
    }
  }
  for (const [, from] of text.matchAll(/^export \* from "(\.[^"]*)"/gm)) {
    const file = fileOf(index, from)
    if (isIndex(file))
      for (const [name, place] of exportsOf(file)) if (!found.has(name)) found.set(name, place)
  }
  for (const [, alias, from] of text.matchAll(/^import \* as (\w+) from "(\.[^"]*)"/gm)) {
    found.set(alias, { file: fileOf(index, from), name: '*' })
  }
  return found
}

function importOf(item, places) {
  if (item.startsWith('type ')) return ''
  const [name, alias = name] = item.split(/\s+as\s+/)
  const place = places.get(name)
  if (!place) return undefined
  const what = place.name === '*' ? `* as ${alias}` : `{ ${place.name} as ${alias} }`
  return `import ${what} from ${JSON.stringify(place.file)};`
}

/**
 * Replaces imports from an index by imports from the modules themselves: esbuild splits by file, so an index adds all
 * of it to every page.
 */
function importDirectly(text, importer) {
  const inLibrary = importer.includes('@blueprintjs')
  return text.replace(/^import \{([^}]*)\} from (["'])([^"']+)\2/gm, (statement, list, quote, from) => {
    const index = ENTRIES[from] ?? (inLibrary && from.startsWith('.') ? fileOf(importer, from) : undefined)
    if (!isIndex(index)) return statement
    const left = []
    const direct = itemsOf(list).map((item) => {
      const found = importOf(item, exportsOf(index))
      if (found === undefined && ENTRIES[from])
        throw patchProblem(index, `no '${item}' for ${path.relative('.', importer)} is found in it`)
      // Folders inside of the library export some modules as a whole.
      return found ?? void left.push(item)
    })
    const rest = left.length ? `import { ${left.join(', ')} } from ${quote}${from}${quote}` : ''
    // Keep the line numbers.
    return direct.join(' ') + rest + '\n'.repeat(statement.split('\n').length - 1)
  })
}

const namesOf = (file) => require(file.replace(/([\\/])esm([\\/])/, '$1cjs$2'))

/**
 * Replaces `Classes.TOAST` by its string, also within templates: css.mjs searches the scripts for these strings later.
 */
function writeOutUses(text, importer) {
  let written = text
  for (const [, alias, from] of text.matchAll(/\bimport \* as (\w+) from "([^"]+)"/g)) {
    const file = fileOf(importer, from)
    if (!file || !CLASSES.test(file)) continue
    const names = namesOf(file)
    written = written.replace(new RegExp(`\\b${alias}\\.([A-Z][A-Z0-9_]*)\\b`, 'g'), (_, name) => {
      if (typeof names[name] === 'string') return JSON.stringify(names[name])
      throw patchProblem(file, `it has no class '${name}' that ${path.relative('.', importer)} uses`)
    })
  }
  return written
}

/** Replaces the class names, which their module concatenates, by literals, so that unused ones can be tree-shaken. */
function writeOutDefinitions(text, file) {
  const names = namesOf(file)
  const constants = Object.keys(names).filter((name) => typeof names[name] === 'string')
  const literals = replaceIn(
    file,
    text,
    /^export const (\w+) = .*;$/gm,
    (line, name) =>
      typeof names[name] === 'string' ? `export const ${name} = ${JSON.stringify(names[name])};` : line,
    constants.length,
  )
  const namespace = namesOf(path.join(library('@blueprintjs/core'), 'common/classes.js')).getClassNamespace()
  // Only the functions that make class names from their arguments still contain the namespace.
  return replaceIn(file, literals, /\$\{NS\}/g, namespace, CLASS_FUNCTIONS[file.match(CLASSES)[1]])
}

/** esbuild plugin that bundles only those components and class names of Blueprint that a page uses. */
export const blueprint = {
  name: 'blueprint',
  setup(build) {
    const filter = /(@blueprintjs[\\/](core|table)[\\/]lib[\\/]esm[\\/].*\.js|[\\/]src[\\/].*\.tsx?)$/
    build.onLoad({ filter }, ({ path: file }) => {
      const source = withGroupedImports(readFileSync(file, 'utf8'), file)
      const text = writeOutUses(importDirectly(source, file), file)
      return {
        contents: CLASSES.test(file) ? writeOutDefinitions(text, file) : text,
        loader: path.extname(file).slice(1),
      }
    })
  },
}
