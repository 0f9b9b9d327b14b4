import { existsSync, mkdirSync, rmSync, watch, writeFileSync } from 'node:fs'
import * as esbuild from 'esbuild'
import { serverProcess } from './child.mjs'
import { nodeOptions, SERVER_ENTRY, webOptions } from './options.mjs'
import { printError } from './problem.mjs'
import { needEntries } from './production.mjs'
import { forgetBuild } from './stale.mjs'
import { webFiles, writeWeb } from './web.mjs'

const PROGRAM = 'dist/server.js'
// Screens and schemas are read at run time, but the icons that they name are bundled.
const WATCHED = ['src', 'screens', 'schemas']
// One save is several events; in milliseconds.
const SETTLED = 20

/** Runs `work` once calls have settled and never twice at a time: a call meanwhile runs it again. */
function settled(work) {
  let timer
  let running = Promise.resolve()
  return () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(work)
    }, SETTLED)
  }
}

function sentenceOf({ errors, message }) {
  if (!errors) return message
  return errors
    .map(({ text, location }) => (location ? `${location.file}:${location.line}: ${text}` : text))
    .join('\n')
}

function writeProgram(outputFiles) {
  mkdirSync('dist', { recursive: true })
  for (const { path, contents } of outputFiles) writeFileSync(path, contents)
}

/** Builds on every change; restarts the server when its bundle differs, else tells the page what to load again. */
export async function dev(args) {
  needEntries()
  forgetBuild()
  rmSync('dist/web', { recursive: true, force: true })
  const web = await esbuild.context(webOptions({ dev: true }))
  const node = await esbuild.context({ ...nodeOptions(SERVER_ENTRY, PROGRAM), write: false })
  const server = serverProcess(PROGRAM, args)
  let shown = {}
  let failing = false

  const show = async (page, program) => {
    const { files, style } = webFiles(page, { dev: true })
    const scripts = [...files.keys()].filter((name) => name.endsWith('.js')).join()
    const code = program.outputFiles.map(({ hash }) => hash).join()
    const before = shown
    shown = { style, scripts, code }
    if (scripts !== before.scripts || style !== before.style) writeWeb(files)
    if (code !== before.code) writeProgram(program.outputFiles)
    if (code !== before.code || !server.isRunning()) return server.restart()
    if (failing) server.tell('fail', null)
    failing = false
    // A page that has lost its server and found a new one loads itself again.
    if (scripts !== before.scripts) server.tell('reload')
    else if (style !== before.style) server.tell('css', `/${style}`)
  }

  const rebuild = async () => {
    try {
      const started = performance.now()
      await show(...(await Promise.all([web.rebuild(), node.rebuild()])))
      console.log(`Built in ${Math.round(performance.now() - started)} ms`)
    } catch (error) {
      printError(error)
      failing = true
      server.tell('fail', sentenceOf(error))
    }
  }

  const end = async () => {
    await server.stop()
    process.exit()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end)
  await rebuild()
  const changed = settled(rebuild)
  for (const folder of WATCHED.filter(existsSync)) watch(folder, { recursive: true }, changed)
}
