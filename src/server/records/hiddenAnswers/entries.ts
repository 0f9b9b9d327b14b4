import { withHidden } from '../../../contract/hiddenRows.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import type { Values } from '../../../contract/when.ts'
import type { Changes } from '../audit/audit.ts'

/** What hid an answer: a person's save, or a version of the form. */
type Cause = { by: number } | { version: number }

/** An answer that does not count, as stored; `since` is a timestamp in ISO. */
type HiddenAnswer = { value: unknown; since: string } & Cause

/** The hidden answers of a record by name. */
export type HiddenAnswers = Record<string, HiddenAnswer>

/** The values of hidden answers by name. */
export function hiddenValues(hidden: unknown): Values {
  const entries = Object.entries((hidden ?? {}) as HiddenAnswers)
  return Object.fromEntries(entries.map(([name, { value }]) => [name, value]))
}

/** The hidden answers to store; one that is the same as before keeps its time and cause. */
export function storedHidden(
  before: unknown,
  values: Values,
  causeOf: (name: string) => Cause,
  since = new Date(),
): HiddenAnswers {
  const known = (before ?? {}) as HiddenAnswers
  const entries = Object.entries(values).map(([name, value]): [string, HiddenAnswer] => [
    name,
    known[name] && isEqual(known[name].value, value)
      ? known[name]
      : { value, since: since.toISOString(), ...causeOf(name) },
  ])
  return Object.fromEntries(entries)
}

/** The answers of a record at one time: those that count, and hidden ones. */
interface Answers {
  answers: Values
  hidden: Values
}

/**
 * The audited changes of answers. A change that only hides an answer or brings it back is marked `moved`; a hidden
 * answer that gets another value has its own change, `hidden_answers.name`.
 */
export function answerChanges(before: Answers, after: Answers): Changes {
  const changes: Changes = {}
  const [allBefore, allAfter] = [before, after].map(({ answers, hidden }) => withHidden(answers, hidden))
  const names = [before, after].flatMap((one) => [...Object.keys(one.answers), ...Object.keys(one.hidden)])
  for (const name of new Set(names)) {
    const isSame = isEqual(allBefore[name], allAfter[name])
    const [from, to] = [before.answers[name], after.answers[name]]
    const isChanged = !isEqual(from, to)
    if (isChanged)
      changes[`answers.${name}`] = isSame
        ? { from: from ?? null, to: to ?? null, moved: true }
        : { from: from ?? before.hidden[name] ?? null, to: to ?? null }
    if (isSame || (isChanged && after.hidden[name] === undefined)) continue
    const [was, is] = [before.hidden[name] ?? (isChanged ? from : undefined), after.hidden[name]]
    if (!isEqual(was, is)) changes[`hidden_answers.${name}`] = { from: was ?? null, to: is ?? null }
  }
  return changes
}
