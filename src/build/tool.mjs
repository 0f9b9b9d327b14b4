import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'
import { nodeOptions } from './options.mjs'
import { problem } from './problem.mjs'

/** Bundles and runs a TypeScript source, which does its work when it is imported and reports by the exit code. */
export async function runTool(source, args) {
  const program = path.resolve('dist/tools', `${path.basename(source, '.ts')}.mjs`)
  if (!existsSync(source)) throw problem(`${source} is missing`)
  await esbuild.build(nodeOptions(source, program))
  process.setSourceMapsEnabled(true)
  process.argv = [process.argv[0], program, ...args]
  await import(pathToFileURL(program).href)
}
