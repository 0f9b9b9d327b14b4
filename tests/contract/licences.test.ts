import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

describe('the packages that are shipped', async () => {
  const { shippedPackages, refusedLicences, licenceList } = await import(
    new URL('../../src/build/licences.mjs', import.meta.url).href
  )
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))

  it('are all under a licence that is allowed', () => {
    const shipped = shippedPackages(lock)
    expect(shipped.length).toBeGreaterThan(100)
    expect(refusedLicences(shipped)).toEqual([])
  })

  it('are those of the settled versions without what only developers install', () => {
    const names = shippedPackages(lock).map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['react', 'pg', '@e965/xlsx']))
    expect(names).not.toContain('vitest')
  })

  it('are refused under another licence, or under none', () => {
    const packages = {
      '': { license: 'GPL-3.0-only' },
      'node_modules/a': { version: '1.0.0', license: 'GPL-3.0-only' },
      'node_modules/a/node_modules/@b/c': { version: '2.0.0' },
      'node_modules/d': { version: '3.0.0', license: 'GPL-3.0-only', dev: true },
      'node_modules/e': { version: '4.0.0', license: 'MIT' },
    }
    const shipped = shippedPackages({ packages })
    expect(refusedLicences(shipped)).toEqual(['@b/c 2.0.0 is under none', 'a 1.0.0 is under GPL-3.0-only'])
  })

  it('are all in the document of a release, and nothing else is', async () => {
    const { shippedOnly } = await import(new URL('../../src/build/sbom.mjs', import.meta.url).href)
    const component = { 'bom-ref': 'ours@1.0.0' }
    const bom = {
      metadata: { component },
      components: [{ 'bom-ref': 'a@1.0.0' }, { 'bom-ref': 'a@2.0.0' }, { 'bom-ref': 'tool@1.0.0' }],
      dependencies: [
        { ref: 'ours@1.0.0', dependsOn: ['a@1.0.0', 'tool@1.0.0'] },
        { ref: 'a@1.0.0' },
        { ref: 'tool@1.0.0', dependsOn: ['a@1.0.0'] },
      ],
    }
    expect(shippedOnly(bom, [{ name: 'a', version: '1.0.0' }])).toEqual({
      metadata: { component },
      components: [{ 'bom-ref': 'a@1.0.0' }],
      dependencies: [
        { ref: 'ours@1.0.0', dependsOn: ['a@1.0.0'] },
        { ref: 'a@1.0.0', dependsOn: [] },
      ],
    })
    expect(() => shippedOnly(bom, [{ name: 'b', version: '1.0.0' }])).toThrow('b@1.0.0')
  })

  it('are listed with the text of their licence', () => {
    const react = shippedPackages(lock).filter(({ name }: { name: string }) => name === 'react')
    expect(licenceList(react)).toMatch(/^react [\d.]+: MIT\n\nMIT License\n/)
  })
})
