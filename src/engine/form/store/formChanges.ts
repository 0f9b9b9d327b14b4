import type { Field } from '../../../contract/generated.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import { join } from './paths.ts'
import type { RenderedGroup } from './renderedGroups.ts'

/**
 * Labels of the fields on a page that another version of its form removed (`gone`), added, made required (including new
 * ones) or changed otherwise.
 */
export interface FormChanges {
  gone: string[]
  added: string[]
  required: string[]
  changed: string[]
}

export const NO_CHANGES: FormChanges = { gone: [], added: [], required: [], changed: [] }

/** Compares the groups on a page with earlier ones. */
export function formChanges(before: RenderedGroup[], after: RenderedGroup[]): FormChanges {
  const [old, now] = [new Set(before), new Set(after)]
  // Groups that are the same objects have the same fields.
  const was = fieldsOf(before.filter((group) => !now.has(group)))
  const is = fieldsOf(after.filter((group) => !old.has(group)))
  const labels = (fields: Map<string, Asked>, keep: (path: string, asked: Asked) => boolean) =>
    [...fields].filter(([path, asked]) => keep(path, asked)).map(([, { field }]) => field.label)
  return {
    gone: labels(was, (path) => !is.has(path)),
    added: labels(is, (path) => !was.has(path)),
    required: labels(is, (path, { isRequired }) => isRequired && !was.get(path)?.isRequired),
    changed: labels(is, (path, asked) => {
      const before = was.get(path)
      const isNewlyRequired = asked.isRequired && !before?.isRequired
      return before !== undefined && !isNewlyRequired && !isEqual(before, asked)
    }),
  }
}

/** Merges two successive changes; a field that was removed and added again counts as unchanged. */
export function addChanges(earlier = NO_CHANGES, later = NO_CHANGES): FormChanges {
  const merge = (a: string[], b: string[], except: string[]) => [
    ...new Set([...a, ...b].filter((label) => !except.includes(label))),
  ]
  return {
    gone: merge(
      earlier.gone.filter((label) => !later.added.includes(label)),
      later.gone,
      earlier.added,
    ),
    added: merge(
      earlier.added.filter((label) => !later.gone.includes(label)),
      later.added,
      earlier.gone,
    ),
    required: merge(
      earlier.required,
      later.required.filter((label) => !earlier.gone.includes(label)),
      later.gone,
    ),
    changed: merge(earlier.changed, later.changed, later.gone),
  }
}

interface Asked {
  field: Field
  isRequired: boolean
}

function fieldsOf(groups: RenderedGroup[]): Map<string, Asked> {
  const all = groups.flatMap(({ at, fields, required }) =>
    fields.map(
      (field) => [join(at, field.name), { field, isRequired: required.has(field.name) }] as [string, Asked],
    ),
  )
  return new Map(all)
}
