import { readFileSync } from 'node:fs'
import { onLoadOf, replaceIn } from './patches.mjs'

// rjsf renders descriptions with a Markdown parser of 85 KB; ours are plain text. Notes load the parser lazily.
const markdown = `
export const Markdown = ({ children }) => children
export const compiler = (text) => text
export const RuleType = {}`

// rjsf resolves references between schemas as URIs; our forms have none.
const addresses =
  'export default { equal: (one, other) => one === other, resolve: (base, reference) => reference }'

// Browsers have XMLHttpRequest, which axios prefers, so its fetch adapter is never used.
const fetchAdapter = 'export const getFetch = () => null; export default null'

// A table of every HTTP status by name, which nothing here reads.
const statusNames = 'export default {}'

// downshift checks prop types in development only, and static properties keep its unused components from being
// tree-shaken.
const propTypes = 'const any = new Proxy(() => any, { get: () => any }); export default any'
const OTHERS = [
  { pattern: /^(useSelect|useMultipleSelection|_useTagGroup)\.\w+ = .*;$/gm, times: 3 },
  { pattern: /^process\.env\.NODE_ENV !== "production" \? Downshift[\s\S]*?;$/gm, times: 1 },
  { pattern: /\bDownshift as default, /g, times: 1 },
]

// Blueprint warns developers of wrong props; the texts of these warnings are removed in production.
const WARNING = /^(export const \w+ =)[\s\S]*?;$/gm
const WARNINGS = 55

const PACKAGES = {
  'markdown-to-jsx/react': markdown,
  'fast-uri': addresses,
  'prop-types': propTypes,
}

const NOT_OURS = /[\\/]node_modules[\\/]/

/** esbuild plugin that removes parts of libraries that this product never uses. */
export const trim = {
  name: 'trim',
  setup(build) {
    const onLoad = onLoadOf(build)
    build.onResolve({ filter: /^(markdown-to-jsx|fast-uri|prop-types$)/ }, ({ path, importer }) =>
      PACKAGES[path] && NOT_OURS.test(importer) ? { path, namespace: 'trim' } : undefined,
    )
    for (const [name, contents] of Object.entries(PACKAGES))
      onLoad(name, new RegExp(`^${name}$`), () => ({ contents }), 'trim')
    onLoad('downshift', /downshift\.esm\.mjs$/, ({ path }) => ({
      contents: OTHERS.reduce(
        (text, { pattern, times }) => replaceIn(path, text, pattern, '', times),
        readFileSync(path, 'utf8'),
      ),
    }))
    if (build.initialOptions.minify)
      onLoad(
        '@blueprintjs/core',
        /@blueprintjs[\\/]core[\\/]lib[\\/]esm[\\/]common[\\/]errors\.js$/,
        ({ path }) => ({
          contents: replaceIn(path, readFileSync(path, 'utf8'), WARNING, "$1 '';", WARNINGS),
        }),
      )
    onLoad('axios', /axios[\\/]lib[\\/]adapters[\\/]fetch\.js$/, () => ({ contents: fetchAdapter }))
    onLoad('axios', /axios[\\/]lib[\\/]helpers[\\/]HttpStatusCode\.js$/, () => ({ contents: statusNames }))
  },
}
