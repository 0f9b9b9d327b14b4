import path from 'node:path'
import { pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'
import { nodeOptions } from '../../src/build/options.mjs'

/** Imports a TypeScript module of the repository; the path is from its root. */
export async function fromSource(source) {
  const program = path.join(import.meta.dirname, 'dist', `${path.basename(source, '.ts')}.mjs`)
  await esbuild.build(/** @type {esbuild.BuildOptions} */ (nodeOptions(source, program)))
  return import(pathToFileURL(program).href)
}
