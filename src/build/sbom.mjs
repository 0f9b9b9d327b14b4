import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { licenceList, refusedLicences, shippedPackages } from './licences.mjs'
import { problem } from './problem.mjs'

const BOM = 'dist/sbom.json'
const LICENCES = 'dist/licences.txt'
/** Bytes of the longest document that npm may write. */
const LONGEST = 64 * 1024 * 1024

/** Writes what a release is made of: its packages as CycloneDX, and their licences. */
export function writeSbom() {
  const shipped = shippedPackages(JSON.parse(readFileSync('package-lock.json', 'utf8')))
  const refused = refusedLicences(shipped)
  if (refused.length > 0) throw problem(`Not to be shipped: ${refused.join(', ')}`)
  const npm = process.env.npm_execpath
  if (!npm) throw problem('Run it as `npm run sbom`: it needs to know where npm is')
  const args = [npm, 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only']
  const bom = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: LONGEST }))
  // npm calls the product by the folder that it lies in.
  bom.metadata.component.name = JSON.parse(readFileSync('package.json', 'utf8')).name
  mkdirSync('dist', { recursive: true })
  writeFileSync(BOM, `${JSON.stringify(bom, undefined, 2)}\n`)
  writeFileSync(LICENCES, `${licenceList(shipped)}\n`)
  console.log(`${shipped.length} packages: ${BOM}, ${LICENCES}`)
}
