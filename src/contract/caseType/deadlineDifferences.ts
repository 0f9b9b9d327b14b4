import { dayInWords } from '../days.ts'
import { STATE_WORDS } from '../deadlines/deadlineState.ts'
import type { Deadline, DeadlineExpectation } from '../generated.ts'
import { isEqual } from '../isEqual.ts'
import { quoted } from '../quoted.ts'

type Expected = Record<string, DeadlineExpectation | null>

/** The deadlines that differ from the expectation of a test, each with its name and a sentence. */
export function* deadlineDifferences(
  deadlines: Deadline[],
  expected: Expected = {},
  now: Expected,
): Generator<{ field: string; message: string }> {
  for (const [name, one] of Object.entries(expected)) {
    const deadline = deadlines.find((other) => other.name === name)
    if (!deadline || now[name] === undefined) {
      yield { field: name, message: `There is no deadline ${quoted(name)} of this form.` }
    } else if (!isEqual(now[name], one)) {
      const label = quoted(deadline.label, name)
      const message = `The deadline ${label} should be ${dueWords(one)} and is ${dueWords(now[name])}.`
      yield { field: name, message }
    }
  }
}

/** "late, due on 4 June 2026", "not due". */
export function dueWords(one: DeadlineExpectation | null): string {
  if (!one) return 'not due'
  const day = `due on ${dayInWords(one.due) ?? one.due}`
  const words = one.state === 'due' ? day : `${STATE_WORDS[one.state]}, ${day}`
  return one.paused ? `${words}, and paused` : words
}
