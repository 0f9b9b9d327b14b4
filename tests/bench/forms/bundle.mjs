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
      plugins: LIKE_THE_PRODUCT.includes(name) ? product.plugins : [],
      legalComments: 'none',
      metafile: false,
      write: true,
    })
  }
  return OUT
}

/** KB of an engine's script after Brotli. */
export const sizeOf = (name) => brotliCompressSync(readFileSync(path.join(OUT, `${name}.js`))).length / 1000
