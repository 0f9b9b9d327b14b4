import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin, type PluginBuild } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../temporaryFolder.ts'

type Load = (library: string, filter: RegExp, load: () => { contents: string }) => void
interface Patches {
  replaceIn: (file: string, text: string, pattern: RegExp, replacement: string, expected?: number) => string
  onLoadOf: (build: PluginBuild) => Load
}
const { replaceIn, onLoadOf }: Patches = await import(
  new URL('../../src/build/patches.mjs', import.meta.url).href
)

let folder = ''
let file = ''
beforeAll(() => {
  folder = temporaryFolder('patches-')
  mkdirSync(join(folder, 'lib'))
  writeFileSync(join(folder, 'package.json'), '{ "name": "boats", "version": "1.2.3" }')
  file = join(folder, 'lib/sail.js')
  writeFileSync(file, 'export const sail = 1\n')
  writeFileSync(join(folder, 'main.js'), "import { sail } from './lib/sail.js'\nconsole.log(sail)\n")
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('a replacement in the text of a library', () => {
  it('is made if its pattern matches as often as it should', () => {
    expect(replaceIn(file, 'a b a', /b/g, 'c')).toBe('a c a')
    expect(replaceIn(file, 'a b a', /a/g, '', 2)).toBe(' b ')
  })

  it.each([
    ['matches nothing', /d/g, 1, '/d/g matches 0 times, and not once'],
    ['matches more often than it should', /a/g, 1, '/a/g matches 2 times, and not once'],
    ['matches less often than it should', /a/g, 3, '/a/g matches 2 times, and not 3 times'],
  ])('stops the build with library, file and pattern if it %s', (_, pattern, expected, message) => {
    expect(() => replaceIn(file, 'a b a', pattern, '', expected)).toThrow(
      new RegExp(`^boats 1\\.2\\.3, .*lib/sail\\.js: ${message}; adapt the patch`),
    )
  })
})

describe('a patch of a file of a library', () => {
  const bundle = (filter: RegExp) => {
    const patch: Plugin = {
      name: 'patch',
      setup: (setup) => onLoadOf(setup)('boats', filter, () => ({ contents: 'export const sail = 2' })),
    }
    return build({
      entryPoints: [join(folder, 'main.js')],
      bundle: true,
      write: false,
      logLevel: 'silent',
      plugins: [patch],
    })
  }

  it('replaces the file', async () => {
    const { outputFiles } = await bundle(/sail\.js$/)
    expect(outputFiles[0].text).toContain('sail = 2')
  })

  it('stops the build with library and pattern if no file matches', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const message = 'boats: no file of the build matches /mast\\.js$/'
    await expect(bundle(/mast\.js$/)).rejects.toThrow(message)
    expect(printed).toHaveBeenCalledWith(expect.stringContaining(message))
    printed.mockRestore()
  })
})
