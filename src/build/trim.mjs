import { readFileSync } from 'node:fs'

// rjsf draws descriptions with a Markdown parser of 85 KB; ours are plain text. Notes load it when there is one.
const markdown = `
export const Markdown = ({ children }) => children
export const compiler = (text) => text
export const RuleType = {}`

// rjsf resolves references between schemas with addresses; our forms hold none.
const addresses =
  'export default { equal: (one, other) => one === other, resolve: (base, reference) => reference }'

// Browsers have XMLHttpRequest, which axios prefers; its second way is dead weight.
const fetchAdapter = 'export const getFetch = () => null; export default null'

// A table of every HTTP status by name, of which nothing here reads one.
const statusNames = 'export default {}'

// downshift checks types of props in development only, and keeps its other components by facts that it puts on them.
const propTypes = 'const any = new Proxy(() => any, { get: () => any }); export default any'
const OTHERS = [
  /^(useSelect|useMultipleSelection|_useTagGroup)\.\w+ = .*;$/gm,
  /^var Downshift = [\s\S]*?^\}\(Component\);$/m,
  /^process\.env\.NODE_ENV !== "production" \? Downshift[\s\S]*?;$/m,
  /\bDownshift as default, /,
]

// Blueprint warns developers of wrong props; a build for users says nothing.
const WARNING = /^(export const \w+ =)[\s\S]*?;$/gm

const PACKAGES = {
  'markdown-to-jsx': markdown,
  'markdown-to-jsx/react': markdown,
  'fast-uri': addresses,
  'prop-types': propTypes,
}

const NOT_OURS = /[\\/]node_modules[\\/]/

/** Leaves out parts of libraries that this product never reaches. */
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
