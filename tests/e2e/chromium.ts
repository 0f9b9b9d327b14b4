import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliDecompress, createBrotliDecompress } from 'node:zlib'

const FOLDER = 'chromium-147'
const BLOCK = 512

// Relative paths, so that the folder can be moved with node_modules.
const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

/** Unpacks a .tar.br: blocks of 512 bytes, a header with name, mode, size and type, then the file. */
async function unpack(archive: string, to: string): Promise<void> {
  const tar = await promisify(brotliDecompress)(await readFile(archive))
  let at = 0
  const text = (offset: number, length: number) =>
    tar.toString('latin1', at + offset, at + offset + length).replace(/\0.*/s, '')
  while (at < tar.length && tar[at] !== 0) {
    const path = join(to, text(0, 100))
    const size = Number.parseInt(text(124, 12), 8)
    if (text(156, 1) === '5') {
      await mkdir(path, { recursive: true })
    } else {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, tar.subarray(at + BLOCK, at + BLOCK + size), { mode: 0o755 })
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
}

async function fill(folder: string, bin: string): Promise<void> {
  for (const archive of ['al2023', 'fonts', 'swiftshader'])
    await unpack(join(bin, `${archive}.tar.br`), folder)
  await writeFile(join(folder, 'fonts.conf'), fonts)
  await pipeline(
    createReadStream(join(bin, 'chromium.br')),
    createBrotliDecompress(),
    createWriteStream(join(folder, 'chromium'), { mode: 0o755 }),
  )
}

/**
 * Unpacks to a temporary folder beside `home` and renames it: of several workers one wins, and none sees a partial
 * browser.
 */
async function fillOnce(home: string, bin: string): Promise<void> {
  if (existsSync(home)) return
  await mkdir(dirname(home), { recursive: true })
  const draft = await mkdtemp(`${home}-`)
  try {
    await fill(draft, bin)
    // Other users may run it as well.
    await chmod(draft, 0o755)
    await rename(draft, home)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
}

/**
 * Playwright's launch options for the Chromium installed by npm, unpacked on first use into node_modules/.cache, or
 * into the temporary folder if that is read-only. Undefined except on Linux x64, for which it is built.
 */
export async function packagedChromium() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const root = entry.slice(0, entry.lastIndexOf(`${sep}build${sep}`))
  let home = join(root, '../../.cache', FOLDER)
  try {
    await fillOnce(home, join(root, 'bin'))
  } catch (error) {
    if (!['EACCES', 'EROFS', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    home = join(tmpdir(), `${FOLDER}-${process.getuid?.()}`)
    await fillOnce(home, join(root, 'bin'))
  }
  const libraries = [join(home, 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  return {
    executablePath: join(home, 'chromium'),
    env: {
      ...(process.env as Record<string, string>),
      LD_LIBRARY_PATH: libraries,
      FONTCONFIG_PATH: home,
      XDG_CACHE_HOME: home,
    },
  }
}
