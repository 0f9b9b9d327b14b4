import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { licenceList, refusedLicences, shippedPackages } from './licences.mjs'
import { problem } from './problem.mjs'

const BOM = 'dist/sbom.json'
const LICENCES = 'dist/licences.txt'
/** Maximum size in bytes of the document that npm writes. */
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Reduces a CycloneDX document to the shipped packages; npm's own `--omit dev` also leaves out those that a development
 * package needs too, like React. Throws if one is missing.
 */
export function shippedOnly(bom, shipped) {
  const refs = new Set(shipped.map(({ name, version }) => `${name}@${version}`))
  const components = bom.components.filter((one) => refs.has(one['bom-ref']))
  const found = new Set(components.map((one) => one['bom-ref']))
  const missing = [...refs].filter((ref) => !found.has(ref))
  if (missing.length > 0) throw problem(`npm says nothing of ${missing.join(', ')}`)
  refs.add(bom.metadata.component['bom-ref'])
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
  return { ...bom, components, dependencies }
}

/** Writes the packages of a release as CycloneDX, and their licences. */
export function writeSbom() {
  const shipped = shippedPackages(JSON.parse(readFileSync('package-lock.json', 'utf8')))
  const refused = refusedLicences(shipped)
  if (refused.length > 0) throw problem(`Not to be shipped: ${refused.join(', ')}`)
  const npm = process.env.npm_execpath
  if (!npm) throw problem('Run it as `npm run sbom`: it needs to know where npm is')
  const args = [npm, 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const all = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: MAX_BYTES }))
  const bom = shippedOnly(all, shipped)
  // npm names the product after its folder.
  bom.metadata.component.name = JSON.parse(readFileSync('package.json', 'utf8')).name
  mkdirSync('dist', { recursive: true })
  writeFileSync(BOM, `${JSON.stringify(bom, undefined, 2)}\n`)
  writeFileSync(LICENCES, `${licenceList(shipped)}\n`)
  console.log(`${bom.components.length} packages: ${BOM}, ${LICENCES}`)
}
