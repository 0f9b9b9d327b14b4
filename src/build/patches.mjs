import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { problem } from './problem.mjs'

/** Name and version of the library that a file belongs to. */
function libraryOf(file) {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const manifest = path.join(folder, 'package.json')
    const { name, version } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {}
    if (name && version) return `${name} ${version}`
  }
  return 'a library'
}

const times = (count) => (count === 1 ? 'once' : `${count} times`)

/** An error that stops the build: a library's file is not as a patch expects it. */
export function patchProblem(file, message) {
  const place = `${libraryOf(file)}, ${path.relative('.', file)}`
  return problem(`${place}: ${message}; adapt the patch in src/build to this version, or remove it`)
}

/**
 * Replaces a pattern (with the flag g) in the text of a library's file. It must match exactly as often as it did in the
 * version that it was written for; a newer version may need another patch, or none.
 */
export function replaceIn(file, text, pattern, replacement, expected = 1) {
  const found = [...text.matchAll(pattern)].length
  if (found !== expected)
    throw patchProblem(file, `${pattern} matches ${times(found)}, and not ${times(expected)}`)
  return text.replace(pattern, replacement)
}

/**
 * Returns a function that patches the files of a library which a filter matches, as `build.onLoad` does. The build fails
 * at its end if no file has matched: what was patched has moved or is gone.
 */
export function onLoadOf(build) {
  const waiting = new Map()
  build.onEnd(({ errors }) => {
    // A failed build has not loaded every file, so a filter without a match proves nothing.
    const texts = errors.length > 0 ? [] : [...waiting.values()]
    // esbuild has printed its messages before this.
    for (const text of texts) console.error(text)
    return { errors: texts.map((text) => ({ text })) }
  })
  return (library, filter, load, namespace = 'file') => {
    const text = `${library}: no file of the build matches ${filter}; adapt the patch in src/build, or remove it`
    waiting.set(filter, text)
    build.onLoad({ filter, namespace }, (args) => {
      waiting.delete(filter)
      return load(args)
    })
  }
}
