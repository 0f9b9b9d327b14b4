import type { Filter } from '../list/filters.ts'
import { AnswersFilter } from './AnswersFilter.tsx'
import { AnswerTags } from './AnswerTags.tsx'

/** What a filter by answers is drawn with: the rows that ask for it or, with `isTags`, the tags of what is in force. */
export interface AnswersProps {
  id: string
  filter: Filter
  /** Conditions as `writeAnswers` puts them. */
  text: string
  onChange: (text: string) => void
  isTags?: boolean
}

/** One part of the program for both, so that a list that has no such filter says little of it. */
export default function Answers({ isTags, ...props }: AnswersProps) {
  return isTags ? <AnswerTags {...props} /> : <AnswersFilter {...props} />
}
