import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { keepUsed, mentionedIn } from './css.mjs'
import { PRELOADED } from './groups.mjs'
import { LATE_STYLES, outFolder, WEB_ENTRY } from './options.mjs'
import { page } from './page.mjs'
import { problem } from './problem.mjs'

const WEB = `${outFolder({ dev: false })}/web`
const INTER_LICENCE = 'node_modules/@fontsource-variable/inter/LICENSE'

function onlyEntriesHaveStyles(outputs) {
  for (const { entryPoint, cssBundle } of Object.values(outputs)) {
    if (cssBundle && entryPoint !== WEB_ENTRY)
      throw problem(
        `${entryPoint} imports a style sheet, which nothing loads: import it from src/app/app.css or a sheet of LATE_STYLES`,
      )
  }
}

/**
 * The output of a browser build: `files`, name → contents, with names relative to the web folder and the page itself, and
 * `styles`, the names of its style sheets: `main` is that of every page, the others are loaded later. In production
 * they contain only what the scripts use.
 */
export function webFiles(result, { dev }) {
  const { outputs } = result.metafile
  const web = `${outFolder({ dev })}/web`
  const inWeb = (file) => path.relative(web, file).replaceAll('\\', '/')
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
  // The font of every page, and its licence.
  const font = [...files.keys()].find((name) => /inter-latin-wght-\S+\.woff2$/.test(name))
  files.set('assets/inter-license.txt', readFileSync(INTER_LICENCE))
  files.set(
    'index.html',
    Buffer.from(page({ font, script: inWeb(script), styles, first: [...first].map(inWeb), preloads })),
  )
  return { files, styles }
}

/** The static imports of a script, transitively. */
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

/** Removes unused rules from a style sheet; returns its new name, which contains the hash of the new content. */
function trim(files, file, name, scripts) {
  const css = Buffer.from(keepUsed(Buffer.from(files.get(file)).toString(), mentionedIn(scripts)))
  files.delete(file)
  const trimmed = `assets/${name}-${createHash('sha256').update(css).digest('hex').slice(0, 8)}.css`
  files.set(trimmed, css)
  return trimmed
}

/** Writes a build, the page last so that it never refers to a file that does not exist yet. */
export function writeWeb(files, { dev }) {
  const web = `${outFolder({ dev })}/web`
  mkdirSync(`${web}/assets`, { recursive: true })
  for (const [name, contents] of files)
    if (name !== 'index.html') writeFileSync(path.join(web, name), contents)
  writeFileSync(`${web}/index.html`, files.get('index.html'))
}

/**
 * Moves the assets of the previous build to dist/web/previous, because pages that are still open load more of them;
 * those of earlier builds are deleted.
 */
export function movePreviousAssets(files) {
  const others = readdirSync(`${WEB}/assets`).filter((name) => !files.has(`assets/${name}`))
  if (others.length === 0) return
  rmSync(`${WEB}/previous`, { recursive: true, force: true })
  mkdirSync(`${WEB}/previous`)
  for (const name of others) renameSync(`${WEB}/assets/${name}`, `${WEB}/previous/${name}`)
}
