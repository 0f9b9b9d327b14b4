import { existsSync } from 'node:fs'
import * as esbuild from 'esbuild'
import { compressed } from './compress.mjs'
import { nodeOptions, SERVER_ENTRY, WEB_ENTRY, webOptions } from './options.mjs'
import { problem } from './problem.mjs'
import { pageSizes } from './sizes.mjs'
import { clearBuildStamp, writeBuildStamp } from './stale.mjs'
import { movePreviousAssets, webFiles, writeWeb } from './web.mjs'

const ENTRIES = { [WEB_ENTRY]: 'the browser bundle', [SERVER_ENTRY]: 'the server' }

/** Throws if the entry file of a bundle is missing. */
export function needEntries() {
  for (const [file, what] of Object.entries(ENTRIES))
    if (!existsSync(file)) throw problem(`${file} is missing: ${what} starts there`)
}

function report({ name, bytes, limit, missing }) {
  const note = missing.length ? `, without ${missing.join(' and ')}` : ''
  const size = `${(bytes / 1000).toFixed(1)} of ${limit} KB`
  console.log(`  ${name.padEnd(6)} ${size}${note}`)
  return bytes > limit * 1000
    ? `The ${name} page loads ${size} of script and style (Brotli): split or trim it.`
    : undefined
}

/** Builds dist/server.js and dist/web; returns a message for each page of the table that exceeds its limit. */
export async function buildAll(pages) {
  needEntries()
  const started = Date.now()
  clearBuildStamp()
  const [result] = await Promise.all([
    esbuild.build(webOptions({ dev: false })),
    esbuild.build(nodeOptions(SERVER_ENTRY, 'dist/server.js')),
  ])
  const { files, styles } = webFiles(result, { dev: false })
  const copies = await compressed(files)
  const all = new Map([...files, ...copies])
  writeWeb(all, { dev: false })
  movePreviousAssets(all)
  writeBuildStamp(started)

  const wireSize = (name) => (copies.get(`${name}.br`) ?? files.get(name)).length
  const styleSizes = Object.fromEntries(
    Object.entries(styles).map(([name, style]) => [name, style ? wireSize(style) : 0]),
  )
  const scriptSize = (output) => wireSize(output.replace('dist/web/', ''))
  const sizes = pageSizes(result.metafile, pages, scriptSize, styleSizes)
  console.log(
    `Built in ${((Date.now() - started) / 1000).toFixed(1)} s. Script and style a page starts with, Brotli:`,
  )
  return sizes.map(report).filter(Boolean)
}
