import { momentText } from '../../engine/cells/dates.ts'
import { isKept } from '../caseType.ts'
import type { Work } from '../useWorkbench.ts'

type Told = Pick<Work, 'base' | 'isDirty' | 'keeping' | 'clash' | 'isAsking' | 'heard'>

/** What others changed, whether there are changes that staff do not see yet, and whether they are safe. */
export function keptWords(work: Told): string {
  return [work.heard, stateWords(work)].filter(Boolean).join(' ')
}

function stateWords({ base, isDirty, keeping, clash, isAsking }: Told): string {
  const { kept, isSafe, failure, isRefused } = keeping
  if (clash) return 'Nothing is saved before you choose between theirs and yours.'
  if (isRefused) return `The draft is not saved: ${failure?.why}.`
  if (failure) return `The draft could not be saved; it is tried again. ${failure.why}.`
  if (!isSafe) return isAsking ? 'Your last change is not saved yet.' : 'Saving the draft…'
  if (!isDirty || !isKept(kept)) {
    return base.version > 0 ? 'Everything is published.' : 'There is nothing in it yet.'
  }
  const moment = kept.at ? ` on ${momentText(kept.at)}` : ''
  return `Draft, not published: saved${moment}${kept.by ? ` by ${kept.by}` : ''}.`
}
