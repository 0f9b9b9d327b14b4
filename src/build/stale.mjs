import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { below } from './files.mjs'

const STAMP = 'dist/.built'
/** Cache file of the server's contract check, deleted because another program may find other problems. */
const CHECKED = 'dist/.checked'
const SOURCES = ['src', 'schemas', 'screens', 'build.mjs', 'package.json', 'package-lock.json']

const changed = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

/**
 * True if a source of the build is newer than the last complete build; the time of a folder is that of its last
 * deletion.
 */
export function isStale() {
  const built = changed(STAMP)
  if (built === 0) return true
  return SOURCES.some(
    (source) => changed(source) > built || below(source).some((file) => changed(file) > built),
  )
}

/** Deletes the stamp of the last build and the cached contract check. */
export const clearBuildStamp = () => {
  for (const file of [STAMP, CHECKED]) rmSync(file, { force: true })
}

/** Marks dist as built from the sources as they were at `started` (milliseconds). */
export function writeBuildStamp(started) {
  mkdirSync('dist', { recursive: true })
  writeFileSync(STAMP, '')
  utimesSync(STAMP, started / 1000, started / 1000)
}
