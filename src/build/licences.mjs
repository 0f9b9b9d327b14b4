import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** SPDX names of the licences that a shipped package may have: none of them requires us to publish our source. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0', 'OFL-1.1']

/** The shipped packages of a package-lock.json, each `{folder, name, version, licence}`: all without a `dev` mark. */
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

/** A message for each package whose licence is not allowed. */
export function refusedLicences(shipped) {
  return shipped
    .filter(({ licence }) => !ALLOWED.includes(licence))
    .map(({ name, version, licence }) => `${name} ${version} is under ${licence}`)
}

/**
 * The licence list of a release: each package with its licence, and the text of it if the package is installed here.
 */
export function licenceList(shipped) {
  return shipped
    .map(({ folder, name, version, licence }) => {
      const text = licenceText(folder)
      return [`${name} ${version}: ${licence}`, ...(text ? ['', text] : [])].join('\n')
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`)
}

/** The licence text of a package; optional packages of other platforms are not installed and have none here. */
function licenceText(folder) {
  if (!existsSync(folder)) return undefined
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(name))
  return file && readFileSync(path.join(folder, file), 'utf8').trim()
}
