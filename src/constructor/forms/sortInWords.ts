import type { Field } from '../../contract/generated.ts'
import { quoted } from '../../contract/quoted.ts'

/** "Sorted by 'Day', the latest first" */
export function sortInWords({ attrs, fields = [] }: Field): string {
  const column = fields.find(({ name }) => name === attrs?.sort_by)
  const by = quoted(column?.label ?? attrs?.sort_by ?? '', attrs?.sort_by)
  return `Sorted by ${by}${attrs?.sort_down ? ', the largest or latest first' : ''}`
}
