import { momentText } from '../engine/cells/dates.ts'
import { isKept } from './caseType.ts'
import type { Work } from './useWorkbench.ts'

/** Whether there are changes that staff do not see yet, and whether they are safe. */
export function keptWords({ isDirty, keeping }: Pick<Work, 'isDirty' | 'keeping'>): string {
  const { kept, isSafe, hasFailed } = keeping
  if (hasFailed) return 'The draft could not be saved; it is tried again.'
  if (!isSafe) return 'Saving the draft…'
  if (!isDirty || !isKept(kept)) return 'Everything is published.'
  const moment = kept.at ? ` on ${momentText(kept.at)}` : ''
  return `Draft, not published: saved${moment}${kept.by ? ` by ${kept.by}` : ''}.`
}
