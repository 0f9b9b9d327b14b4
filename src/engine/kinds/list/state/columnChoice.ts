import type { ListScreen } from '../../../../contract/generated.ts'

/** True if users can choose the columns of a list; not for a timeline, nor for a report, whose measures define them. */
export function hasColumnChoice({ layout, choose }: ListScreen): boolean {
  return layout !== 'timeline' && choose !== false
}
