import { RE2JS } from 're2js'

/**
 * Instructions of the largest pattern: a text of LONGEST_MATCHED characters is matched within a tenth of a second, and
 * patterns of postcodes and reference numbers have fewer than 100.
 */
const LARGEST = 500
/** Characters of the longest text that may have a pattern. */
export const LONGEST_MATCHED = 500
const MOST_COMPILED = 500
const compiled = new Map<string, RE2JS>()

/**
 * True if the whole text matches a regular expression of RE2, which takes time in proportion to the text for every
 * expression; throws for one that is none.
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

/** What is wrong with a regular expression, as part of a sentence; undefined if nothing is. */
export function patternError(expression: string): string | undefined {
  try {
    if (RE2JS.compile(expression).programSize() > LARGEST) return 'it repeats too much'
  } catch (error) {
    return (error as Error).message.replace('error parsing regexp: ', '')
  }
}
