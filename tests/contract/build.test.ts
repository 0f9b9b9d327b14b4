import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../temporaryFolder.ts'

const part = (name: string) => import(new URL(`../../src/build/${name}.mjs`, import.meta.url).href)

describe('the style sheet of a production build', async () => {
  const { keepUsed, mentionedIn } = await part('css')
  const pruned = (css: string, ...scripts: string[]) => keepUsed(css, mentionedIn(scripts))

  it('keeps a rule if a script has every class of one of its selectors', () => {
    const css = '.bp6-a .bp6-b,.bp6-c{x:y}.bp6-c{p:q}.own,body{r:s}'
    expect(pruned(css, 'f("bp6-a","bp6-b")')).toBe('.bp6-a .bp6-b{x:y}.own,body{r:s}')
  })

  it('ignores classes in brackets', () => {
    const css = '.bp6-a:not(.bp6-z,[class*=bp6-y]),.bp6-a[class*=bp6-intent]{x:y}'
    expect(pruned(css, 'bp6-a')).toBe(css)
  })

  it('keeps classes built at run time from a prefix, and those of transitions', () => {
    const css = '.bp6-toast-container-top{x:y}.bp6-toast-enter-active{x:y}.bp6-toaster{x:y}'
    expect(pruned(css, '`bp6-toast-container-$', 'bp6-toast')).toBe(
      '.bp6-toast-container-top{x:y}.bp6-toast-enter-active{x:y}',
    )
  })

  it('filters rules in @media, and keeps strings with braces, fonts and keyframes', () => {
    const css = '@media print{.bp6-z{x:y}}@media print{.bp6-a{x:"}"}}@keyframes bp6-z{to{x:y}}'
    expect(pruned(css, 'bp6-a')).toBe('@media print{.bp6-a{x:"}"}}@keyframes bp6-z{to{x:y}}')
  })
})

describe('the icons of a build', async () => {
  const { iconsIn } = await part('icons')
  const names = (file: string, text: string) => [...iconsIn(file, text)].map(({ name }) => name)

  it('are found after the word icon in code', () => {
    expect(
      names('a.tsx', `<Button icon="add" text="edit" endIcon={open ? 'caret-up' : "caret-down"} />`),
    ).toEqual(['add', 'caret-up', 'caret-down'])
    expect(
      names('a.ts', "const stateIcons: Record<State, IconName> = {\n  on: 'tick',\n  off: 'cross',\n}"),
    ).toEqual(['tick', 'cross'])
    expect(names('a.ts', "const icon = kind === 'bad' ? 'error' : undefined, other = 'edit'")).toEqual([
      'error',
    ])
  })

  it('are found in screens, and checked by the contract', () => {
    expect([...iconsIn('a.json', '{\n  "icon": "no-such-icon" }')]).toEqual([{ name: 'no-such-icon' }])
    expect([...iconsIn('a.tsx', '<p />\n<Icon icon="no-such-icon" />')]).toEqual([
      { name: 'no-such-icon', line: 2 },
    ])
  })

  it('all exist', async () => {
    const { collectIcons } = await part('icons')
    expect(collectIcons().errors).toEqual([])
  })
})

describe('a build beside a running development server', async () => {
  const { outFolder, webOptions } = await part('options')

  it('writes other files', () => {
    const [dev, production] = [true, false].map((dev) => ({ dev }))
    expect(webOptions(dev).outdir).toBe(`${outFolder(dev)}/web`)
    expect(webOptions(production).outdir).toBe('dist/web')
    expect(outFolder(dev)).not.toBe(outFolder(production))
  })

  it('is not made by npm start -- --help', () => {
    const folder = temporaryFolder('help-')
    for (const name of ['src', 'build.mjs', 'package.json'])
      cpSync(name, join(folder, name), { recursive: true })
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction')
    const output = execFileSync('node', ['build.mjs', 'start', '--help'], { cwd: folder, encoding: 'utf8' })
    expect(output).toContain('\n  PORT ')
    expect(readdirSync(join(folder, 'dist'))).toEqual(['tools'])
    rmSync(folder, { recursive: true })
  })
})

describe('what a page loads', async () => {
  const { pageSizes } = await part('sizes')
  const outputs = {
    'main.js': { entryPoint: 'main.tsx', imports: [{ path: 'both.js', kind: 'import-statement' }] },
    'login.js': { entryPoint: 'login.tsx', imports: [{ path: 'both.js', kind: 'import-statement' }] },
    'both.js': { imports: [{ path: 'later.js', kind: 'dynamic-import' }] },
    'later.js': { imports: [] },
  }

  it('includes every statically imported script once, and its style sheets', () => {
    const pages = { login: { limit: 1, files: ['main.tsx', 'login.tsx', 'gone.tsx'], styles: ['main'] } }
    const metafile = { inputs: { 'main.tsx': {}, 'login.tsx': {} }, outputs }
    expect(pageSizes(metafile, pages, () => 10, { main: 5, inside: 7 })).toEqual([
      { name: 'login', bytes: 35, limit: 1, missing: ['gone.tsx'] },
    ])
  })
})

describe('the groups of what is loaded later', async () => {
  const { GROUPS, withGroupedImports } = await part('groups')
  const { existsSync } = await import('node:fs')

  it('are imported in place of the file alone', () => {
    const text = "loadable(() => withStyle('grid', import('./Grid.tsx')), null)"
    expect(withGroupedImports(text, 'src/engine/kinds/list/Body.tsx')).toBe(
      "loadable(() => withStyle('grid', import('group:grid').then(({ Grid }) => Grid)), null)",
    )
  })

  it('have every file that is loaded later', () => {
    expect(() => withGroupedImports("import('./New.tsx')", 'src/app/App.tsx')).toThrow(
      'src/app/New.tsx is loaded later, but no group of src/build/groups.mjs has it',
    )
  })

  it('name files that exist, each once', () => {
    const files = Object.values(GROUPS as Record<string, { files: string[] }>).flatMap((group) => group.files)
    expect(files.filter((file) => !existsSync(file))).toEqual([])
    expect(new Set(files).size).toBe(files.length)
  })
})

describe('Blueprint in a bundle', async () => {
  const { exportsOf } = await part('blueprint')
  const { createRequire } = await import('node:module')
  const index = createRequire(import.meta.url)
    .resolve('@blueprintjs/core/package.json')
    .replace('package.json', 'lib/esm/index.js')

  it('is imported from the file that defines each name', () => {
    const places = exportsOf(index)
    expect(places.get('Button').file).toMatch(/button[\\/]buttons\.js$/)
    expect(places.get('Classes')).toEqual({ file: expect.stringMatching(/classes\.js$/), name: '*' })
    expect([...places.values()].filter((place) => !place.file)).toEqual([])
  })
})
