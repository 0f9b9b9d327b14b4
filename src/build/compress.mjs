import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const CACHE = '.cache/compressed'
const WORTH_IT = /\.(js|css|svg|json)$/
const SMALLEST = 1024

const WAYS = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gz: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

/** Compressed copies, name.br and name.gz → contents, of the texts over 1 KB. Brotli takes seconds, so results are kept by content. */
export async function compressed(files) {
  mkdirSync(CACHE, { recursive: true })
  const copies = new Map()
  const kept = new Set()
  const one = async (name, bytes, way) => {
    const key = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${way}`
    const file = path.join(CACHE, key)
    kept.add(key)
    if (!existsSync(file)) writeFileSync(file, await WAYS[way](bytes))
    copies.set(`${name}.${way}`, readFileSync(file))
  }
  const worth = [...files].filter(([name, bytes]) => WORTH_IT.test(name) && bytes.length > SMALLEST)
  await Promise.all(worth.flatMap(([name, bytes]) => Object.keys(WAYS).map((way) => one(name, bytes, way))))
  for (const key of readdirSync(CACHE)) if (!kept.has(key)) rmSync(path.join(CACHE, key))
  return copies
}
