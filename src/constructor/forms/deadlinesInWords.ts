import { type DeadlineReach, describeDeadline } from '../../contract/deadlines/describeDeadline.ts'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import type { Deadline } from '../../contract/generated.ts'
import type { InWords } from './formInWords.ts'

/** Deadlines in sentences, as one part of a form in words; none without deadlines. */
export function deadlinesInWords(
  reach: DeadlineReach,
  deadlines: Deadline[],
  itemLabel?: ItemLabel,
): InWords[] {
  if (deadlines.length === 0) return []
  const below = deadlines.map((one) => ({
    number: '',
    label: one.label.trim() || one.name,
    sentences: [describeDeadline(one, reach, itemLabel)],
    below: [],
  }))
  return [{ number: '', label: 'What is due', sentences: [], below }]
}
