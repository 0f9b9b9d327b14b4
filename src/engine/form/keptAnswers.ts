import type { Field } from '../../contract/generated.ts'
import { isSet, pathsOf, type Values } from '../../contract/when.ts'
import { getAt, join } from './paths.ts'
import type { RenderedGroup } from './renderedGroups.ts'
import type { FormSection } from './sections.ts'

/** An answer that its form hides although nobody hid it by an answer. */
export interface KeptAnswer {
  path: string
  field: Field
  value: unknown
}

/** The paths of the fields on the page. */
export function renderedPaths(groups: RenderedGroup[]): Set<string> {
  return new Set(groups.flatMap(({ at, fields }) => fields.map((f) => join(at, f.name))))
}

/** The fields of a form's metas by path, without those that look at who is signed in. */
export function metaFields(sections: FormSection[]): Map<string, Field> {
  const fields = new Map<string, Field>()
  for (const { at, groups, isMeta } of sections) {
    for (const group of isMeta ? groups : []) {
      for (const field of group.fields) {
        const looksAt = [group.attrs?.when, field.attrs?.when].flatMap(pathsOf)
        if (!looksAt.some((path) => path.startsWith('user.'))) fields.set(join(at, field.name), field)
      }
    }
  }
  return fields
}

/** The answers among some fields that are given and not on the page. */
export function keptOf(fields: Map<string, Field>, document: Values, groups: RenderedGroup[]): KeptAnswer[] {
  const drawn = renderedPaths(groups)
  return [...fields].flatMap(([path, field]) => {
    const value = getAt(document, path)
    return !drawn.has(path) && isSet(value) ? [{ path, field, value }] : []
  })
}
