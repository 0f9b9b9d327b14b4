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
]

export interface RepositoryCopy {
  folder: string
  /** Runs a program of npm's or Node's in the copy. */
  run(program: string, ...args: string[]): Promise<{ code: number; output: string }>
  /** Builds dist/server.js anew from the sources of the copy. */
  buildServer(): Promise<void>
  remove(): void
}

/** A copy of the repository as it is here, with what was built of it. */
export function copyRepository(): RepositoryCopy {
  const folder = temporaryFolder('advocacy-guide-')
  for (const name of COPIED.filter(existsSync)) cpSync(name, join(folder, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction')
  // What startProduct starts takes no argument.
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
