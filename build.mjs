import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { printError } from './src/build/problem.mjs'
import { isStale } from './src/build/stale.mjs'

// Limits of what a page loads before it renders, in KB after Brotli.
const PAGES = {
  login: { limit: 160, styles: ['main'], files: ['src/app/main.ts'] },
  list: { limit: 200, styles: ['main', 'inside'], files: ['src/app/main.ts', 'group:inside'] },
}

async function build() {
  const { buildAll } = await import('./src/build/production.mjs')
  return buildAll(PAGES)
}

// The server runs in this process: one process to stop, and nothing but its own code starts when the build is fresh.
async function start(args) {
  if (args.some((arg) => arg === '--help' || arg === '-h')) return tool('src/server/core/help.ts')
  if (isStale()) for (const sentence of await build()) console.warn(sentence)
  process.env.NODE_ENV ??= 'production'
  process.setSourceMapsEnabled(true)
  const server = path.resolve('dist/server.js')
  process.argv = [process.argv[0], server, ...args]
  await import(pathToFileURL(server).href)
}

async function tool(source, args = []) {
  const { runTool } = await import('./src/build/tool.mjs')
  await runTool(source, args)
}

const COMMANDS = {
  build: async () => {
    const tooBig = await build()
    for (const sentence of tooBig) console.error(sentence)
    if (tooBig.length) process.exitCode = 1
  },
  start,
  dev: async (args) => (await import('./src/build/dev.mjs')).dev(args),
  check: () => tool('src/server/ops/check.ts'),
  generate: async () => {
    await tool('src/check/generate.ts')
    await tool('src/server/ops/migrate/writeHashes.ts')
  },
  sbom: async () => (await import('./src/build/sbom.mjs')).writeSbom(),
  demo: (args) => tool('src/server/ops/demo/cli.ts', args),
  migrate: () => start(['--migrate']),
  migration: (args) => tool('src/server/ops/migrate/migrationCommand.ts', args),
  backup: (args) => tool('src/server/ops/backup/backupCommand.ts', args),
  'verify-backup': (args) => tool('src/server/ops/backup/verifyCommand.ts', args),
  'verify-access': (args) => tool('src/server/ops/verifyAccess.ts', args),
  'export-data': (args) => tool('src/server/ops/transfer/transferData.ts', ['export', ...args]),
  'move-files': (args) => tool('src/server/ops/transfer/moveFilesCommand.ts', args),
  'import-data': (args) => tool('src/server/ops/transfer/transferData.ts', ['import', ...args]),
}

process.chdir(import.meta.dirname)
const [name = 'build', ...args] = process.argv.slice(2)
const command = COMMANDS[name]
if (!command) {
  console.error(`node build.mjs [${Object.keys(COMMANDS).join(' | ')}]: there is no "${name}"`)
  process.exit(1)
}
try {
  await command(args)
} catch (error) {
  printError(error)
  process.exit(1)
}
