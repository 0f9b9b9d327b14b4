import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'
import { nodeOptions } from './options.mjs'
import { problem } from './problem.mjs'

/** Runs src/contract/<name>.ts, which does its work when it is imported and answers by the exit code. */
export async function runTool(name) {
  const source = `src/contract/${name}.ts`
  const program = `dist/tools/${name}.mjs`
  if (!existsSync(source)) throw problem(`${source} is missing: "node build.mjs ${name}" runs it`)
  await esbuild.build(nodeOptions(source, program))
  process.setSourceMapsEnabled(true)
  await import(pathToFileURL(path.resolve(program)).href)
}
