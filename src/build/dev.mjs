import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as esbuild from 'esbuild'
import { serverProcess } from './child.mjs'
import { watchBelow } from './devWatch.mjs'
import { below } from './files.mjs'
import { iconsIn } from './icons.mjs'
import { nodeOptions, outFolder, SERVER_ENTRY, webOptions } from './options.mjs'
import { printError } from './problem.mjs'
import { needEntries } from './production.mjs'
import { webFiles, writeWeb } from './web.mjs'

const FOLDER = outFolder({ dev: true })
const PROGRAM = `${FOLDER}/server.js`
// Debounce delay in milliseconds: one save causes several events.
const DEBOUNCE_MS = 40

function debounced(work) {
  let timer
  return () => {
    clearTimeout(timer)
    timer = setTimeout(work, DEBOUNCE_MS)
  }
}

/** Returns a function that runs tasks one after another. */
function queue() {
  let last = Promise.resolve()
  return (work) => {
    last = last.then(work)
    return last
  }
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The file was deleted while the folder was read, which causes another event.
    return ''
  }
}

/** Names of the icons in screens: nothing else of a screen is bundled. */
function iconsOfScreens() {
  const files = below('screens').filter((file) => file.endsWith('.json'))
  return files.flatMap((file) => [...iconsIn(file, textOf(file))].map(({ name }) => name))
}

/** Migrations and views that the server applies when it starts. */
function sqlOfServer() {
  return ['src/server/ops/migrations', 'src/server/ops/views']
    .flatMap(below)
    .map((file) => file + textOf(file))
}

function sentenceOf({ errors, message }) {
  if (!errors) return message
  return errors
    .map(({ text, location }) =>
      location ? `${location.file}:${location.line}:${location.column + 1}  ${text}` : text,
    )
    .join('\n')
}

function writeProgram(outputFiles) {
  mkdirSync(FOLDER, { recursive: true })
  for (const { path, contents } of outputFiles) writeFileSync(path, contents)
}

/**
 * Builds when code changes; restarts the server if its bundle differs, otherwise notifies the page what to reload.
 * Screens and schemas are read at run time: the server is only notified of their changes.
 */
export async function dev(args) {
  needEntries()
  rmSync(FOLDER, { recursive: true, force: true })
  const web = await esbuild.context(webOptions({ dev: true }))
  const node = await esbuild.context({ ...nodeOptions(SERVER_ENTRY, PROGRAM), write: false })
  const enqueue = queue()
  const server = serverProcess(PROGRAM, args, () => enqueue(server.restart))
  let current = {}
  let failing = false
  let bundled = new Set()

  const publish = async (page, program) => {
    const { files, styles } = webFiles(page, { dev: true })
    const sheets = Object.values(styles)
    const scripts = [...files.keys()].filter((name) => name.endsWith('.js')).join()
    const code = [...program.outputFiles.map(({ hash }) => hash), ...sqlOfServer()].join()
    const before = current
    current = { sheets: sheets.join(), scripts, code }
    const isRestyled = current.sheets !== before.sheets
    if (scripts !== before.scripts || isRestyled) writeWeb(files, { dev: true })
    if (code !== before.code) writeProgram(program.outputFiles)
    if (failing) server.send('fail', null)
    failing = false
    if (code !== before.code || !server.isRunning()) return server.restart()
    // After a restart of the server the page reloads itself.
    if (scripts !== before.scripts) server.send('reload')
    else if (isRestyled)
      server.send(
        'css',
        sheets.map((name) => `/${name}`),
      )
  }

  const rebuild = async () => {
    try {
      const started = performance.now()
      bundled = new Set(iconsOfScreens())
      await publish(...(await Promise.all([web.rebuild(), node.rebuild()])))
      console.log(`Built in ${Math.round(performance.now() - started)} ms`)
    } catch (error) {
      printError(error)
      failing = true
      server.send('fail', sentenceOf(error))
    }
  }

  const end = async () => {
    await server.stop()
    process.exit()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end)
  await enqueue(rebuild)
  const sourcesChanged = () => enqueue(rebuild)
  const contractChanged = () => {
    server.send('check')
    const isNew = (icon) => !bundled.has(icon)
    if (!server.isRunning() || failing || iconsOfScreens().some(isNew)) sourcesChanged()
  }
  for (const [folder, act] of Object.entries({
    src: sourcesChanged,
    screens: contractChanged,
    schemas: contractChanged,
  }))
    if (existsSync(folder)) watchBelow(folder, debounced(act))
}
