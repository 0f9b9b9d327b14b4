import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { keepUsed, mentionedIn } from './css.mjs'
import { WEB_ENTRY } from './options.mjs'
import { page } from './page.mjs'
import { problem } from './problem.mjs'

const WEB = 'dist/web'
const inWeb = (file) => path.relative(WEB, file).replaceAll('\\', '/')

function onlyEntryHasStyles(outputs) {
  for (const { entryPoint, cssBundle } of Object.values(outputs)) {
    if (cssBundle && entryPoint !== WEB_ENTRY)
      throw problem(
        `${entryPoint} imports a style sheet, which nothing loads: import it from src/app/app.css`,
      )
  }
}

/**
 * What a browser build consists of: `files`, name → contents, names relative to dist/web with the page itself, and
 * the name of its `style` sheet. In production that holds what the scripts use.
 */
export function webFiles(result, { dev }) {
  const { outputs } = result.metafile
  onlyEntryHasStyles(outputs)
  const files = new Map(
    result.outputFiles.map((file) => [inWeb(path.relative('.', file.path)), file.contents]),
  )
  const [script, entry] = Object.entries(outputs).find(([, output]) => output.entryPoint === WEB_ENTRY)
  let style = entry.cssBundle && inWeb(entry.cssBundle)
  if (style && !dev) {
    const scripts = result.outputFiles.filter((file) => file.path.endsWith('.js')).map((file) => file.text)
    const css = Buffer.from(keepUsed(Buffer.from(files.get(style)).toString(), mentionedIn(scripts)))
    files.delete(style)
    style = `assets/main-${createHash('sha256').update(css).digest('hex').slice(0, 8)}.css`
    files.set(style, css)
  }
  const preload = entry.imports.filter(({ kind, external }) => kind === 'import-statement' && !external)
  files.set(
    'index.html',
    Buffer.from(
      page(
        inWeb(script),
        style,
        preload.map((chunk) => inWeb(chunk.path)),
      ),
    ),
  )
  return { files, style }
}

/** Writes a build, the page last so that it never names a file that is not there yet. */
export function writeWeb(files) {
  mkdirSync(`${WEB}/assets`, { recursive: true })
  for (const [name, contents] of files)
    if (name !== 'index.html') writeFileSync(path.join(WEB, name), contents)
  writeFileSync(`${WEB}/index.html`, files.get('index.html'))
}

/** Removes what earlier builds left. */
export function removeOthers(files) {
  for (const name of readdirSync(`${WEB}/assets`)) {
    if (!files.has(`assets/${name}`)) rmSync(`${WEB}/assets/${name}`)
  }
}
