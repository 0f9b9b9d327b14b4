import { withHidden } from '../../../contract/hiddenRows.ts'
import { isPlainObject, type Values } from '../../../contract/when.ts'

/**
 * A record as a form edits it: its answers include hidden ones, so that they are there again when an answer of the
 * person shows their question; the server brings them back when the form is saved.
 */
export function documentOf(record: Values): Values {
  const { answers, hidden_answers } = record
  if (!isPlainObject(answers) || !isPlainObject(hidden_answers)) return record
  const hidden = Object.entries(hidden_answers).map(([name, entry]) => [name, (entry as Values).value])
  return { ...record, answers: withHidden(answers, Object.fromEntries(hidden)) }
}
