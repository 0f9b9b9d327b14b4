import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as esbuild from 'esbuild'
import { serverProcess } from './child.mjs'
import { watchBelow } from './devWatch.mjs'
import { below } from './files.mjs'
import { iconsIn } from './icons.mjs'
import { nodeOptions, SERVER_ENTRY, webOptions } from './options.mjs'
import { printError } from './problem.mjs'
import { needEntries } from './production.mjs'
import { forgetBuild } from './stale.mjs'
import { webFiles, writeWeb } from './web.mjs'

const PROGRAM = 'dist/server.js'
// One save is several events; in milliseconds.
const SETTLED = 40

/** Runs `work` once calls have settled. */
function settled(work) {
  let timer
  return () => {
    clearTimeout(timer)
    timer = setTimeout(work, SETTLED)
  }
}

/** Runs what it is given, one after the other. */
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
    // It went while the folder was read, which is another change.
    return ''
  }
}

/** Names of the icons that screens ask for: all that is bundled of them. */
function iconsOfScreens() {
  const files = below('screens').filter((file) => file.endsWith('.json'))
  return files.flatMap((file) => [...iconsIn(file, textOf(file))].map(({ name }) => name))
}

/** Everything that the server migrates its database with when it starts. */
function sqlOfServer() {
  return ['src/server/migrations', 'src/server/views'].flatMap(below).map((file) => file + textOf(file))
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
  mkdirSync('dist', { recursive: true })
  for (const { path, contents } of outputFiles) writeFileSync(path, contents)
}

/**
 * Builds when code changes; restarts the server when its bundle differs, else tells the page what to load again.
 * Screens and schemas are read at run time: the server only hears that they changed.
 */
export async function dev(args) {
  needEntries()
  forgetBuild()
  rmSync('dist/web', { recursive: true, force: true })
  const web = await esbuild.context(webOptions({ dev: true }))
  const node = await esbuild.context({ ...nodeOptions(SERVER_ENTRY, PROGRAM), write: false })
  const inTurn = queue()
  const server = serverProcess(PROGRAM, args, () => inTurn(server.restart))
  let shown = {}
  let failing = false
  let bundled = new Set()

  const show = async (page, program) => {
    const { files, styles } = webFiles(page, { dev: true })
    const sheets = Object.values(styles)
    const scripts = [...files.keys()].filter((name) => name.endsWith('.js')).join()
    const code = [...program.outputFiles.map(({ hash }) => hash), ...sqlOfServer()].join()
    const before = shown
    shown = { sheets: sheets.join(), scripts, code }
    const isRestyled = shown.sheets !== before.sheets
    if (scripts !== before.scripts || isRestyled) writeWeb(files)
    if (code !== before.code) writeProgram(program.outputFiles)
    if (failing) server.tell('fail', null)
    failing = false
    if (code !== before.code || !server.isRunning()) return server.restart()
    // A page that has lost its server and found a new one loads itself again.
    if (scripts !== before.scripts) server.tell('reload')
    else if (isRestyled)
      server.tell(
        'css',
        sheets.map((name) => `/${name}`),
      )
  }

  const rebuild = async () => {
    try {
      const started = performance.now()
      bundled = new Set(iconsOfScreens())
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
  await inTurn(rebuild)
  const changed = () => inTurn(rebuild)
  const described = () => {
    server.tell('check')
    const isNew = (icon) => !bundled.has(icon)
    if (!server.isRunning() || failing || iconsOfScreens().some(isNew)) changed()
  }
  for (const [folder, act] of Object.entries({ src: changed, screens: described, schemas: described }))
    if (existsSync(folder)) watchBelow(folder, settled(act))
}
