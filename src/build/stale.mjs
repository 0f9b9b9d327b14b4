import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { below } from './files.mjs'

const STAMP = 'dist/.built'
/** Where the server notes that the contract has no mistakes: another program may find one. */
const CHECKED = 'dist/.checked'
const SOURCES = ['src', 'schemas', 'screens', 'build.mjs', 'package.json', 'package-lock.json']

const changed = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Whether something a build reads is newer than the last whole build; a folder is as new as its last deletion. */
export function isStale() {
  const built = changed(STAMP)
  if (built === 0) return true
  return SOURCES.some(
    (source) => changed(source) > built || below(source).some((file) => changed(file) > built),
  )
}

export const forgetBuild = () => {
  for (const file of [STAMP, CHECKED]) rmSync(file, { force: true })
}

/** Marks what is in dist as built from the sources as they were at `started` (milliseconds). */
export function rememberBuild(started) {
  mkdirSync('dist', { recursive: true })
  writeFileSync(STAMP, '')
  utimesSync(STAMP, started / 1000, started / 1000)
}
