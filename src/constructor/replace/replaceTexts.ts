import type { Draft } from '../state/caseType.ts'
import { type Replaced, replaceWords, type Search } from './replaceWords.ts'
import type { TextPath, TextPlace } from './textPlaces.ts'

/** A text in which something is found, and what it becomes. */
export interface Replacement extends Replaced {
  key: string
  place: TextPlace
  /** Why it cannot be replaced; undefined if it can. */
  problem?: string
}

/** The texts in which something is found. */
export function findTexts(places: TextPlace[], search: Search, replacement: string): Replacement[] {
  return places.flatMap((place) => {
    const replaced = replaceWords(place.text, search, replacement)
    if (!replaced) return []
    const problem = problemOf(replaced.text, place)
    return [{ ...replaced, key: place.paths[0].join('.'), place, ...(problem && { problem }) }]
  })
}

function problemOf(text: string, { maxLength }: TextPlace): string | undefined {
  if (text.trim() === '') return 'Nothing would be left of it'
  return text.length > maxLength ? `It would be longer than ${maxLength} characters` : undefined
}

export function replaceTexts(draft: Draft, replacements: Replacement[]): Draft {
  return replacements
    .flatMap(({ place, text }) => place.paths.map((path) => ({ path, text })))
    .reduce((now, { path, text }) => withTextAt(now, path, text), draft)
}

/** The value with the text at a path below it replaced. */
function withTextAt<T>(value: T, [key, ...rest]: TextPath, text: string): T {
  if (key === undefined) return text as T
  const below = withTextAt((value as Record<string | number, unknown>)[key], rest, text)
  return (Array.isArray(value) ? value.with(key as number, below) : { ...value, [key]: below }) as T
}
