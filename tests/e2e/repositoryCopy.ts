import { execFile } from 'node:child_process'
import { cpSync, existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as esbuild from 'esbuild'
import { temporaryFolder } from '../temporaryFolder.ts'

const COPIED = [
  'src',
  'schemas',
  'screens',
  'tests',
  'dist',
  'build.mjs',
  'package.json',
  'tsconfig.json',
  'biome.json',
  '.gitignore',
  'README.md',
]

export interface RepositoryCopy {
  folder: string
  /** Runs a program in the copy, such as node or npx. */
  run(program: string, ...args: string[]): Promise<{ code: number; output: string }>
  /** Rebuilds dist/server.js from the sources of the copy. */
  buildServer(): Promise<void>
  remove(): void
}

/** Copies the working tree, including its build, to a temporary folder. */
export function copyRepository(): RepositoryCopy {
  const folder = temporaryFolder('advocacy-guide-')
  for (const name of COPIED.filter(existsSync)) cpSync(name, join(folder, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction')
  // startProduct passes no arguments to its script, so this one adds 'dev'.
  writeFileSync(join(folder, 'dev.mjs'), "process.argv.push('dev')\nawait import('./build.mjs')\n")
  return {
    folder,
    run: (program, ...args) =>
      new Promise((done) => {
        const options = { cwd: folder, env: { ...process.env, NODE_ENV: undefined } }
        execFile(program, args, options, (error, stdout, stderr) =>
          done({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
        )
      }),
    buildServer: async () => {
      const options = await import(new URL('../../src/build/options.mjs', import.meta.url).href)
      const { nodeOptions, SERVER_ENTRY } = options
      await esbuild.build({ ...nodeOptions(SERVER_ENTRY, 'dist/server.js'), absWorkingDir: folder })
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
