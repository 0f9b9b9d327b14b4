import type { Values } from '../../contract/when.ts'
import { isPlainObject } from '../../contract/when.ts'
import { isWithin, join, setAt } from './paths.ts'
import type { FormSection } from './sections.ts'

/** A document with other values over it. Groups of values on the way to a place of a form are laid key by key, others whole. */
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

/** Where the values of a form's sections stand in its document. */
export function placesOf(sections: FormSection[]): string[] {
  return sections.map((s) => s.at)
}

/** Whether a path is a place of a form or lies on the way to one: what is there are fields, not one value. */
export function leadsTo(path: string, places: string[]): boolean {
  return places.some((place) => place !== '' && isWithin(place, path))
}
