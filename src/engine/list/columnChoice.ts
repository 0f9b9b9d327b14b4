import type { ListScreen } from '../../contract/generated.ts'

/** Whether people choose which columns a list shows; a story has none, and those of a report follow from what it counts. */
export function hasColumnChoice({ layout, choose }: ListScreen): boolean {
  return layout !== 'story' && choose !== false
}
