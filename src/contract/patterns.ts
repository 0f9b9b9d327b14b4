import { RE2JS } from 're2js'

/**
 * Most instructions of a compiled pattern: it matches a text of LONGEST_MATCHED characters within a tenth of a second,
 * and patterns of postcodes and reference numbers have fewer than 100.
 */
const LARGEST = 500
/** Most characters of a text with a pattern. */
export const LONGEST_MATCHED = 500
const MOST_COMPILED = 500
const compiled = new Map<string, RE2JS>()

/**
 * True if the whole text matches an RE2 expression, which takes linear time for every expression; throws for an invalid
 * one.
 */
export function matchesPattern(expression: string, text: string): boolean {
  let pattern = compiled.get(expression)
  if (!pattern) {
    if (compiled.size === MOST_COMPILED) compiled.clear()
    pattern = RE2JS.compile(expression)
    compiled.set(expression, pattern)
  }
  return text.length <= LONGEST_MATCHED && pattern.matches(text)
}

/** Error of a regular expression, as part of a sentence; undefined if it is valid. */
export function patternError(expression: string): string | undefined {
  try {
    if (RE2JS.compile(expression).programSize() > LARGEST) return 'it repeats too much'
  } catch (error) {
    return (error as Error).message.replace('error parsing regexp: ', '')
  }
}
