import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const CACHE = '.cache/compressed'
const COMPRESSIBLE = /\.(js|css|svg|json)$/
const MIN_BYTES = 1024

const ENCODERS = {
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

/**
 * Compressed copies, name.br and name.gz → contents, of the text files over 1 KB. Brotli takes seconds, so results are
 * cached by content hash.
 */
export async function compressed(files) {
  mkdirSync(CACHE, { recursive: true })
  const copies = new Map()
  const used = new Set()
  const one = async (name, bytes, encoding) => {
    const key = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${encoding}`
    const file = path.join(CACHE, key)
    used.add(key)
    if (!existsSync(file)) writeFileSync(file, await ENCODERS[encoding](bytes))
    copies.set(`${name}.${encoding}`, readFileSync(file))
  }
  const compressible = [...files].filter(
    ([name, bytes]) => COMPRESSIBLE.test(name) && bytes.length > MIN_BYTES,
  )
  await Promise.all(
    compressible.flatMap(([name, bytes]) =>
      Object.keys(ENCODERS).map((encoding) => one(name, bytes, encoding)),
    ),
  )
  for (const key of readdirSync(CACHE)) if (!used.has(key)) rmSync(path.join(CACHE, key))
  return copies
}
