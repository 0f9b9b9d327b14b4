import { blueprint } from './blueprint.mjs'
import { groups } from './groups.mjs'
import { icons } from './icons.mjs'
import { tableCsp } from './tableCsp.mjs'
import { trim } from './trim.mjs'

export const WEB_ENTRY = 'src/app/main.ts'
/**
 * Style sheets that are loaded with a part of the program instead of with the page, by the name passed to `loadStyle`.
 */
export const LATE_STYLES = {
  inside: 'src/app/inside.css',
  constructor: 'src/constructor/constructor.css',
  grid: 'src/engine/kinds/list/grid.css',
  timeline: 'src/engine/kinds/list/timeline.css',
  needs: 'src/engine/kinds/list/needs.css',
  openedRow: 'src/engine/kinds/list/openedRow.css',
  wizard: 'src/engine/kinds/wizard/wizard.css',
  reorder: 'src/engine/kinds/list/reorder.css',
  import: 'src/engine/kinds/list/import.css',
  checkboxGroup: 'src/engine/kinds/list/checkboxGroup.css',
  selection: 'src/engine/kinds/list/selection.css',
  views: 'src/engine/kinds/views/views.css',
  figure: 'src/engine/kinds/figure/figure.css',
  assign: 'src/engine/kinds/assign/assign.css',
  overlay: 'src/engine/core/overlay.css',
  sidePanel: 'src/engine/form/sidePanel.css',
  upload: 'src/engine/kinds/upload/upload.css',
  signature: 'src/engine/form/widgets/signature.css',
  publicForm: 'src/engine/kinds/public/publicForm.css',
  answers: 'src/engine/kinds/answers/answers.css',
  paper: 'src/engine/kinds/paper/paper.css',
  compare: 'src/engine/kinds/compare/compare.css',
  proof: 'src/app/signIn/proof.css',
}
export const SERVER_ENTRY = 'src/server/ops/main.ts'

/** Folder of a build. Development has its own, so that a build beside it does not replace the files of open pages. */
export const outFolder = ({ dev }) => (dev ? 'dist/dev' : 'dist')

/** esbuild's options for the browser bundle; file names contain a hash of the content, in development too. */
export const webOptions = ({ dev }) => ({
  entryPoints: [WEB_ENTRY, ...Object.values(LATE_STYLES)],
  outdir: `${outFolder({ dev })}/web`,
  entryNames: 'assets/[name]-[hash]',
  chunkNames: 'assets/[name]-[hash]',
  assetNames: 'assets/[name]-[hash]',
  publicPath: '/',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxDev: dev,
  minify: !dev,
  sourcemap: dev && 'linked',
  legalComments: 'external',
  define: { __DEV__: String(dev), 'process.env.NODE_ENV': dev ? '"development"' : '"production"' },
  loader: { '.svg': 'file', '.png': 'file', '.woff2': 'file' },
  plugins: [groups, icons, trim, tableCsp, blueprint],
  metafile: true,
  write: false,
  logLevel: 'warning',
})

/** Packages of hundreds of modules, which Node takes longer to find and read than to run. */
const MANY_MODULES = /^(date-fns|kysely)(\/|$)/

/** Marks all other packages, and Node's own modules, as external. */
const packages = {
  name: 'packages',
  setup: (build) =>
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || MANY_MODULES.test(path) ? undefined : { path, external: true },
    ),
}

/** esbuild's options for a program that Node runs. */
export const nodeOptions = (entry, outfile) => ({
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  plugins: [packages],
  sourcemap: true,
  // The source files are available, and the map is read at every start.
  sourcesContent: false,
  logLevel: 'warning',
})
