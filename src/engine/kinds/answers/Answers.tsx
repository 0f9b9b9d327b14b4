import type { Filter } from '../list/state/filters.ts'
import { AnswersFilter } from './AnswersFilter.tsx'
import { AnswerTags } from './AnswerTags.tsx'

/** Props of a filter by answers, rendered as rows to edit or, with `isTags`, as tags of the active conditions. */
export interface AnswersProps {
  id: string
  filter: Filter
  /** Conditions, serialised by `writeAnswers`. */
  text: string
  onChange: (text: string) => void
  isTags?: boolean
}

/** One chunk for both, so that lists without this filter load neither. */
export default function Answers({ isTags, ...props }: AnswersProps) {
  return isTags ? <AnswerTags {...props} /> : <AnswersFilter {...props} />
}
