import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { keepUsed, mentionedIn } from './css.mjs'
import { PRELOADED } from './groups.mjs'
import { LATE_STYLES, WEB_ENTRY } from './options.mjs'
import { page } from './page.mjs'
import { problem } from './problem.mjs'

const WEB = 'dist/web'
const INTER_LICENCE = 'node_modules/@fontsource-variable/inter/LICENSE'
const inWeb = (file) => path.relative(WEB, file).replaceAll('\\', '/')

function onlyEntriesHaveStyles(outputs) {
  for (const { entryPoint, cssBundle } of Object.values(outputs)) {
    if (cssBundle && entryPoint !== WEB_ENTRY)
      throw problem(
        `${entryPoint} imports a style sheet, which nothing loads: import it from src/app/app.css or a sheet of LATE_STYLES`,
      )
  }
}

/**
 * What a browser build consists of: `files`, name → contents, names relative to dist/web with the page itself, and
 * the names of its style sheets: `main` is every page's, the others come late. In production they hold what the
 * scripts use.
 */
export function webFiles(result, { dev }) {
  const { outputs } = result.metafile
  onlyEntriesHaveStyles(outputs)
  const files = new Map(
    result.outputFiles.map((file) => [inWeb(path.relative('.', file.path)), file.contents]),
  )
  const [script, entry] = Object.entries(outputs).find(([, output]) => output.entryPoint === WEB_ENTRY)
  const scripts = result.outputFiles.filter((file) => file.path.endsWith('.js')).map((file) => file.text)
  const trimmed = (output, name) =>
    output && !dev ? trim(files, inWeb(output), name, scripts) : output && inWeb(output)
  const late = Object.entries(LATE_STYLES).map(([name, source]) => [
    name,
    trimmed(outputNamed(outputs, source), name),
  ])
  const styles = { main: trimmed(entry.cssBundle, 'main'), ...Object.fromEntries(late) }
  const first = staticImports(outputs, script)
  const preloads = PRELOADED.map((group) => {
    const stub = Object.keys(outputs).find((name) => outputs[name].entryPoint === `group:${group}`)
    const scripts = [stub, ...staticImports(outputs, stub)].filter((name) => !first.has(name))
    return { group, scripts: scripts.map(inWeb), style: styles[group] }
  })
  // The letters that every page is written in, and the licence that goes with them.
  const font = [...files.keys()].find((name) => /inter-latin-wght-\S+\.woff2$/.test(name))
  files.set('assets/inter-license.txt', readFileSync(INTER_LICENCE))
  files.set(
    'index.html',
    Buffer.from(page({ font, script: inWeb(script), styles, first: [...first].map(inWeb), preloads })),
  )
  return { files, styles }
}

/** What a script imports as it starts, and what these import. */
function staticImports(outputs, script, found = new Set()) {
  for (const { path: name, kind, external } of outputs[script].imports) {
    if (kind !== 'import-statement' || external || found.has(name)) continue
    found.add(name)
    staticImports(outputs, name, found)
  }
  return found
}

function outputNamed(outputs, source) {
  return Object.keys(outputs).find((name) => outputs[name].entryPoint === source && name.endsWith('.css'))
}

/** Leaves in a style sheet what the scripts use; answers the name that its new content gives it. */
function trim(files, file, name, scripts) {
  const css = Buffer.from(keepUsed(Buffer.from(files.get(file)).toString(), mentionedIn(scripts)))
  files.delete(file)
  const trimmed = `assets/${name}-${createHash('sha256').update(css).digest('hex').slice(0, 8)}.css`
  files.set(trimmed, css)
  return trimmed
}

/** Writes a build, the page last so that it never names a file that is not there yet. */
export function writeWeb(files) {
  mkdirSync(`${WEB}/assets`, { recursive: true })
  for (const [name, contents] of files)
    if (name !== 'index.html') writeFileSync(path.join(WEB, name), contents)
  writeFileSync(`${WEB}/index.html`, files.get('index.html'))
}

/** Puts aside what the build before left, for pages that are still open load more of it; what lay there goes. */
export function putOthersAside(files) {
  const others = readdirSync(`${WEB}/assets`).filter((name) => !files.has(`assets/${name}`))
  if (others.length === 0) return
  rmSync(`${WEB}/previous`, { recursive: true, force: true })
  mkdirSync(`${WEB}/previous`)
  for (const name of others) renameSync(`${WEB}/assets/${name}`, `${WEB}/previous/${name}`)
}
