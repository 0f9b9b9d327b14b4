import type { Deadline, Field } from '../../contract/generated.ts'

/** What the parts of a deadline's sentence have in common. */
export interface DeadlinePart {
  deadline: Deadline
  /** Fields and columns with a day, and with a number, by path. */
  dates: { value: string; label: string }[]
  numbers: { value: string; label: string }[]
  /** Everything that its conditions can look at, by path. */
  reach: Map<string, Field>
  messagesAt: (key: string) => string[]
  change: (deadline: Deadline, what: string, typing?: boolean) => void
  announce: (words: string) => void
}
