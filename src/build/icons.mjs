import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { below } from './files.mjs'
import { onLoadOf } from './patches.mjs'

const require = createRequire(import.meta.url)
const library = path.resolve(require.resolve('@blueprintjs/icons'), '../../../esm')
const known = new Set(
  readdirSync(path.join(library, 'generated/16px/paths'))
    .filter((file) => file.endsWith('.js') && file !== 'index.js')
    .map((file) => file.slice(0, -3)),
)

// Icons that components of the library request by name unless the caller passes one.
const BUILT_IN = ['chevron-down', 'chevron-left']

// `icon="add"`, `endIcon={open ? 'caret-up' : 'caret-down'}`, `icon: 'add'`, `const stateIcons = { on: 'tick' }`
const NAMED = /\b(?:\w*Icon|icon)s?\??\s*(?::[^=\n{'"]*=\s*|[=:]\s*)(\{[^}]*\}|'[^']*'|"[^"]*"|[^,;\n>]*)/g
const LITERAL = /(['"`])([a-z0-9]+(?:-[a-z0-9]+)*)\1/g
const ALONE = /^\{?\s*(['"`])([^'"`]*)\1\s*\}?$/
const IN_JSON = /"icon"\s*:\s*"([^"]*)"/g

const lineOf = (text, index) => text.slice(0, index).split('\n').length

function* inCode(text) {
  for (const found of text.matchAll(NAMED)) {
    const alone = found[1].trim().match(ALONE)
    if (alone) yield { name: alone[2], line: lineOf(text, found.index) }
    // Some of several literals are only there to compare with, so yield only those that name an icon.
    else
      for (const literal of found[1].matchAll(LITERAL)) if (known.has(literal[2])) yield { name: literal[2] }
  }
}

function* inJson(text) {
  for (const found of text.matchAll(IN_JSON)) yield { name: found[1] }
}

/**
 * Icon names in a file, with their line if the name stands alone in code, so that an unknown one is an error. Those of
 * screens are validated with the rest of the contract.
 */
export const iconsIn = (file, text) => {
  if (file.endsWith('.json')) return inJson(text)
  return /\.tsx?$/.test(file) ? inCode(text) : []
}

// Lazily loaded parts of the program; icons that only these use are loaded later.
const LATE = /^src\/(constructor|engine\/(form|widgets|wizard|preview|detail))\//

/**
 * The icon names that code and screens use, sorted; `first` are those needed at the start, `errors` are esbuild
 * messages for unknown names in code.
 */
export function collectIcons() {
  const names = new Set(BUILT_IN)
  const first = new Set(BUILT_IN)
  const errors = []
  for (const file of [...below('src'), ...below('screens')]) {
    if (!/\.(tsx?|json)$/.test(file)) continue
    const text = readFileSync(file, 'utf8')
    for (const { name, line } of iconsIn(file, text)) {
      if (known.has(name)) {
        names.add(name)
        if (!LATE.test(file.replaceAll('\\', '/'))) first.add(name)
      } else if (line !== undefined) {
        const location = { file, line, lineText: text.split('\n')[line - 1] }
        errors.push({ text: `Blueprint has no icon "${name}"`, location })
      }
    }
  }
  return { names: [...names].sort(), first: [...first].sort(), errors }
}

const pathsOf = (names, size) => `
${names.map((name, at) => `import p${size}_${at} from './generated/${size}px/paths/${name}.js'`).join('\n')}
const paths${size} = { ${names.map((name, at) => `'${name}': p${size}_${at}`).join(', ')} }`

// Blueprint calls `load` for a missing icon, and renders it once that has resolved.
const LATER = 'icons-later'
const loaderOf = (first) => `${pathsOf(first, 16)}
let later = {}
export const Icons = {
  getPaths: (name, size) => (size < 20 ? paths16[name] ?? later.paths16?.[name] : later.paths20?.[name]),
  load: async () => { later = await import('${LATER}') },
}`

// Replacements of modules that contain all 700 icons or all their names.
const STUBS = {
  allPaths:
    'export const IconSvgPaths16 = {}, IconSvgPaths20 = {}; export const getIconPaths = () => undefined',
  iconCodepoints: 'export const IconCodepoints = {}; export const getIconContentString = () => ""',
  iconNames: 'export const IconNames = {}; export const IconNamesSet = new Set()',
  iconNameConversion:
    'export const LegacyToIconNextNameMap = {}; export const legacyIconNameToIconNextName = () => undefined; export const iconNameToIconNextName = () => undefined',
}

/**
 * esbuild plugin that bundles the icons that are used, most of them in a file of their own, in place of the library's
 * loader for all of them (four fifths of a bundle).
 */
export const icons = {
  name: 'icons',
  setup(build) {
    let names = []
    let first = []
    build.onStart(() => {
      const found = collectIcons()
      names = found.names
      first = found.first
      return { errors: found.errors }
    })
    build.onResolve({ filter: new RegExp(`^${LATER}$`) }, () => ({ path: LATER, namespace: LATER }))
    build.onLoad({ filter: /.*/, namespace: LATER }, () => {
      const others = names.filter((name) => !first.includes(name))
      const contents = `${pathsOf(others, 16)}\n${pathsOf(names, 20)}\nexport { paths16, paths20 }`
      return { contents, resolveDir: library }
    })
    const onLoad = onLoadOf(build)
    const replace = (module, contentsOf) =>
      onLoad(
        '@blueprintjs/icons',
        new RegExp(String.raw`@blueprintjs[\\/]icons[\\/]lib[\\/]esm[\\/]${module}\.js$`),
        () => ({ contents: contentsOf(), resolveDir: library }),
      )
    replace('iconLoader', () => loaderOf(first))
    for (const [module, contents] of Object.entries(STUBS)) replace(module, () => contents)
  },
}
