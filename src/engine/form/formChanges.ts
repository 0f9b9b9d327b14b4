import { same } from '../../contract/settle.ts'
import type { Field } from '../../contract/types.ts'
import type { DrawnGroup } from './draw.ts'
import { join } from './paths.ts'

/** Labels of the fields on a page that another version of its form no longer asks, asks newly, or asks otherwise. */
export interface FormChanges {
  gone: string[]
  added: string[]
  changed: string[]
}

/** What changed on the page from some groups to others, added to earlier changes. */
export function formChanges(before: DrawnGroup[], after: DrawnGroup[], earlier: FormChanges): FormChanges {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const labels = (fields: Map<string, Asked>, keep: (path: string, asked: Asked) => boolean) =>
    [...fields].filter(([path, asked]) => keep(path, asked)).map(([, { field }]) => field.label)
  const merge = (old: string[], more: string[]) => [...new Set([...old, ...more])]
  return {
    gone: merge(
      earlier.gone,
      labels(was, (path) => !is.has(path)),
    ),
    added: merge(
      earlier.added,
      labels(is, (path) => !was.has(path)),
    ),
    changed: merge(
      earlier.changed,
      labels(is, (path, asked) => was.has(path) && !same(was.get(path), asked)),
    ),
  }
}

interface Asked {
  field: Field
  isRequired: boolean
}

function fieldsOf(groups: DrawnGroup[]): Map<string, Asked> {
  const all = groups.flatMap(({ at, fields, required }) =>
    fields.map(
      (field) => [join(at, field.name), { field, isRequired: required.has(field.name) }] as [string, Asked],
    ),
  )
  return new Map(all)
}
