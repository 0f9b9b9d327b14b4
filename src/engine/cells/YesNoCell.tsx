import type { CellProps } from './cell.ts'

const WORDS = new Map<unknown, string>([
  ['yes', 'Yes'],
  [true, 'Yes'],
  ['no', 'No'],
  [false, 'No'],
  ['not_known', 'Not known'],
])

/** Yes, No or Not known. */
export function YesNoCell({ value }: CellProps) {
  return WORDS.get(value) ?? null
}
