import type { Values } from '../../../contract/when.ts'
import { isPlainObject } from '../../../contract/when.ts'
import { isWithin, join, setAt } from './paths.ts'
import type { FormSection } from './sections.ts'

/**
 * Merges values into a document. Objects on the way to a section's place are merged key by key, other values are
 * replaced whole.
 */
export function mergeAt(document: Values, values: Values, places: string[], at = ''): Values {
  let next = document
  for (const [key, value] of Object.entries(values)) {
    const path = join(at, key)
    next =
      isPlainObject(value) && leadsTo(path, places)
        ? mergeAt(next, value, places, path)
        : setAt(next, path, value)
  }
  return next
}

/** Dotted paths of the places of a form's sections. */
export function placesOf(sections: Pick<FormSection, 'at'>[]): string[] {
  return sections.map((s) => s.at)
}

/** True if a path is a section's place or an ancestor of one, so that it has fields below instead of one value. */
export function leadsTo(path: string, places: string[]): boolean {
  return places.some((place) => isWithin(place, path))
}
