import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Licences under which a shipped package may be, by their SPDX names: none of them asks for the source of ours. */
export const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
]

/** The packages of a package-lock.json that are shipped, each `{folder, name, version, licence}`: all that no `dev` mark excludes. */
export function shippedPackages({ packages }) {
  return Object.entries(packages)
    .filter(([folder, { dev }]) => folder !== '' && !dev)
    .map(([folder, { name, version, license }]) => ({
      folder,
      name: name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license ?? 'none',
    }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** Those of them whose licence is not allowed, each in words. */
export function refusedLicences(shipped) {
  return shipped
    .filter(({ licence }) => !ALLOWED.includes(licence))
    .map(({ name, version, licence }) => `${name} ${version} is under ${licence}`)
}

/** The list that goes with a release: each package with its licence, and the text of it where it is installed here. */
export function licenceList(shipped) {
  return shipped
    .map(({ folder, name, version, licence }) => {
      const text = licenceText(folder)
      return [`${name} ${version}: ${licence}`, ...(text ? ['', text] : [])].join('\n')
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`)
}

/** Optional packages of other platforms are not installed, and have no text here. */
function licenceText(folder) {
  if (!existsSync(folder)) return undefined
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(name))
  return file && readFileSync(path.join(folder, file), 'utf8').trim()
}
