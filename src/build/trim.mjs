import { readFileSync } from 'node:fs'

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
  /^(useSelect|useMultipleSelection|_useTagGroup)\.\w+ = .*;$/gm,
  /^var Downshift = [\s\S]*?^\}\(Component\);$/m,
  /^process\.env\.NODE_ENV !== "production" \? Downshift[\s\S]*?;$/m,
  /\bDownshift as default, /,
]

// Blueprint warns developers of wrong props; the texts of these warnings are removed in production.
const WARNING = /^(export const \w+ =)[\s\S]*?;$/gm

const PACKAGES = {
  'markdown-to-jsx': markdown,
  'markdown-to-jsx/react': markdown,
  'fast-uri': addresses,
  'prop-types': propTypes,
}

const NOT_OURS = /[\\/]node_modules[\\/]/

/** esbuild plugin that removes parts of libraries that this product never uses. */
export const trim = {
  name: 'trim',
  setup(build) {
    build.onResolve({ filter: /^(markdown-to-jsx|fast-uri|prop-types$)/ }, ({ path, importer }) =>
      PACKAGES[path] && NOT_OURS.test(importer) ? { path, namespace: 'trim' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'trim' }, ({ path }) => ({ contents: PACKAGES[path] }))
    build.onLoad({ filter: /downshift\.esm\.mjs$/ }, ({ path }) => ({
      contents: OTHERS.reduce((text, part) => text.replace(part, ''), readFileSync(path, 'utf8')),
    }))
    if (build.initialOptions.minify)
      build.onLoad(
        { filter: /@blueprintjs[\\/]core[\\/]lib[\\/]esm[\\/]common[\\/]errors\.js$/ },
        ({ path }) => ({
          contents: readFileSync(path, 'utf8').replace(WARNING, "$1 '';"),
        }),
      )
    build.onLoad({ filter: /axios[\\/]lib[\\/]adapters[\\/]fetch\.js$/ }, () => ({ contents: fetchAdapter }))
    build.onLoad({ filter: /axios[\\/]lib[\\/]helpers[\\/]HttpStatusCode\.js$/ }, () => ({
      contents: statusNames,
    }))
  },
}
