import { RE2JS } from 're2js'

/**
 * Most instructions of a compiled pattern: it matches a text of MAX_MATCHED_LENGTH characters within a tenth of a second,
 * and patterns of postcodes and reference numbers have fewer than 100.
 */
const MAX_INSTRUCTIONS = 500
/** Most characters of a text with a pattern. */
export const MAX_MATCHED_LENGTH = 500
/** Most instructions of all compiled patterns that are kept: about 50 MB, and those of hundreds of forms. */
const MAX_CACHED = 100_000
const compiled = new Map<string, RE2JS>()
let kept = 0

/**
 * True if the whole text matches an RE2 expression, which takes linear time for every expression; throws for an invalid
 * one.
 */
export function matchesPattern(expression: string, text: string): boolean {
  return text.length <= MAX_MATCHED_LENGTH && patternOf(expression).matches(text)
}

/** The compiled pattern, the same until many others are used; throws for an invalid one. */
function patternOf(expression: string): RE2JS {
  const known = compiled.get(expression)
  const pattern = known ?? RE2JS.compile(expression)
  if (!known) kept += pattern.programSize()
  // Move it to the end of the map, so that the least recently used pattern comes first.
  compiled.delete(expression)
  compiled.set(expression, pattern)
  for (const [oldest, one] of compiled) {
    if (kept <= MAX_CACHED || oldest === expression) break
    compiled.delete(oldest)
    kept -= one.programSize()
  }
  return pattern
}

/** Instructions of a compiled pattern, which its cost grows with; 0 if it cannot be compiled. */
export function patternSize(expression: string): number {
  try {
    return patternOf(expression).programSize()
  } catch {
    return 0
  }
}

/** Error of a regular expression, as part of a sentence; undefined if it is valid. */
export function patternError(expression: string): string | undefined {
  try {
    if (patternOf(expression).programSize() > MAX_INSTRUCTIONS) return 'it repeats too much'
  } catch (error) {
    return (error as Error).message.replace('error parsing regexp: ', '')
  }
}
