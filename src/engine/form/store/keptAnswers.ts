import { holdsRows } from '../../../contract/fieldTypes.ts'
import type { Field, Group } from '../../../contract/generated.ts'
import { evaluateRow, withRow } from '../../../contract/visible.ts'
import {
  type ConditionContext,
  isSet,
  pathsOf as pathsOfCondition,
  type Values,
} from '../../../contract/when.ts'
import { getAt, join } from './paths.ts'
import type { RenderedGroup } from './renderedGroups.ts'
import type { FormSection } from './sections.ts'

/** An answer whose field is hidden, but not by an answer of the person: for example by a new version of the form. */
export interface KeptAnswer {
  path: string
  field: Field
  value: unknown
}

/** The paths of the fields on the page, and of the columns of their rows. */
export function renderedPaths(
  groups: RenderedGroup[],
  document: Values,
  contextAt: (path: string) => ConditionContext,
): Set<string> {
  const paths = groups.flatMap(({ at, fields }) =>
    fields.flatMap((field) => {
      const path = join(at, field.name)
      return pathsOf(field, path, document, holdsRows(field) ? contextAt(path) : {})
    }),
  )
  return new Set(paths)
}

function pathsOf(field: Field, path: string, document: Values, context: ConditionContext): string[] {
  const columns = rowsAt(document, path, field).flatMap((row, i) => {
    const { fields, values } = evaluateRow(field.fields ?? [], row, context)
    const inRow = withRow(context, values)
    return fields.flatMap((column) => pathsOf(column, join(path, i, column.name), document, inRow))
  })
  return [path, ...columns]
}

/**
 * The fields of a form's metas and the columns of their rows by path, without those whose conditions depend on the
 * user.
 */
export function metaFields(sections: FormSection[], document: Values): Map<string, Field> {
  const fields = new Map<string, Field>()
  const add = (path: string, field: Field) => {
    fields.set(path, field)
    for (const i of rowsAt(document, path, field).keys())
      for (const column of field.fields ?? [])
        if (!dependsOnUser(column) && !column.attrs?.calc)
          add(join(path, i, column.name), {
            ...column,
            label: `${field.label}, row ${i + 1}: ${column.label}`,
          })
  }
  for (const { at, groups, isMeta } of sections) {
    for (const group of isMeta ? groups : []) {
      for (const field of group.fields) {
        // Calculated values are not answers of a person.
        if (dependsOnUser(group, field) || field.attrs?.calc) continue
        add(join(at, field.name), field)
      }
    }
  }
  return fields
}

/** The set values of fields that are no longer rendered. The columns of a hidden repeat are part of its value. */
export function keptOf(fields: Map<string, Field>, document: Values, rendered: Set<string>): KeptAnswer[] {
  return [...fields].flatMap(([path, field]) => {
    const value = getAt(document, path)
    const [, list] = path.match(/^(.*)\.\d+\.\w+$/) ?? []
    const isPart = list !== undefined && !rendered.has(list)
    return !isPart && isSet(value) ? [{ path, field, value }] : []
  })
}

function rowsAt(document: Values, path: string, field: Field): Values[] {
  const rows = holdsRows(field) ? getAt(document, path) : undefined
  return Array.isArray(rows) ? rows : []
}

function dependsOnUser(...parts: (Group | Field)[]): boolean {
  return parts.flatMap(({ attrs }) => pathsOfCondition(attrs?.when)).some((path) => path.startsWith('user.'))
}
