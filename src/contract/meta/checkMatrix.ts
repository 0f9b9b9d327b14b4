import { offeredOptions } from '../fieldTypes.ts'
import type { Group } from '../generated.ts'
import { canBeRow, isMatrix, offersSame } from '../matrix.ts'
import type { Report } from './metaTypes.ts'

/** Most choices that fit beside their question. */
const MAX_COLUMNS = 7

/** Checks that a group rendered as a table can be one: its fields in use offer the same few choices. */
export function checkMatrix(group: Group, report: Report): void {
  if (!isMatrix(group)) return
  const inUse = [...group.fields.entries()].filter(([, { attrs }]) => attrs?.is_on !== false)
  const rows = inUse.filter(([, field]) => canBeRow(field))
  for (const [f, field] of inUse)
    if (!canBeRow(field))
      report(
        ['fields', f],
        `The group '${group.label}' is a table, so '${field.label}' must be one choice of its own choices; move it to another group`,
        field.name,
      )
  const [first, ...others] = rows
  if (!first) return
  for (const [f, field] of others)
    if (!offersSame(first[1], field))
      report(
        ['fields', f, 'attrs', 'options'],
        `'${field.label}' must offer the same choices as '${first[1].label}': their group '${group.label}' is a table`,
        field.name,
      )
  const count = offeredOptions(first[1]).length
  if (count > MAX_COLUMNS)
    report(
      ['attrs', 'layout'],
      `A table has room for ${MAX_COLUMNS} choices and '${group.label}' has ${count}; show its questions one below the other`,
    )
}
