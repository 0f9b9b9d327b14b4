import { readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import { webOptions } from '../../../src/build/options.mjs'

const OUT = path.join(import.meta.dirname, '../dist/forms')

/** Those that are built as the product is, its way with Blueprint included; peers get nothing of theirs taken away. */
const LIKE_THE_PRODUCT = ['ours', 'hand', 'relabel']

/** Bundles engines for the browser; answers the folder with name.js and name.css. */
export async function bundle(names) {
  const product = /** @type {esbuild.BuildOptions} */ (webOptions({ dev: false }))
  for (const name of names) {
    await esbuild.build({
      ...product,
      entryPoints: [path.join(import.meta.dirname, `engines/${name}.jsx`)],
      outdir: OUT,
      entryNames: '[name]',
      splitting: false,
      format: 'esm',
      loader: { ...product.loader, '.woff': 'dataurl' },
      plugins: LIKE_THE_PRODUCT.includes(name) ? (product.plugins ?? []).map(patchingLess) : [],
      legalComments: 'none',
      metafile: false,
      write: true,
    })
  }
  return OUT
}

/** A plugin that does not ask for a file of each library that it patches: an engine does not have all of them. */
const patchingLess = (plugin) => ({
  ...plugin,
  setup: (build) => plugin.setup({ ...build, onEnd: () => undefined }),
})

/** KB of an engine's script after Brotli. */
export const sizeOf = (name) => brotliCompressSync(readFileSync(path.join(OUT, `${name}.js`))).length / 1000
