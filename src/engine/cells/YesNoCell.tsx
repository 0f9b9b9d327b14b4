import { YES_NO_LABELS } from '../../contract/yesNo.ts'
import type { CellProps } from './cell.ts'

const WORDS = new Map<unknown, string>([
  ...Object.entries(YES_NO_LABELS),
  [true, YES_NO_LABELS.yes],
  [false, YES_NO_LABELS.no],
])

export function YesNoCell({ value }: CellProps) {
  return WORDS.get(value) ?? null
}
