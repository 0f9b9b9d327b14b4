import type { AssignScreen } from '../../contract/generated.ts'
import { isSet, type Values } from '../../contract/when.ts'
import type { Row } from '../list/results.ts'

export type AssignQuestion = AssignScreen['assignment']

/** Parameters by which a row narrows what can be chosen for it. */
export function choiceParameters({ narrow = {} }: AssignQuestion, row: Row): Values {
  const entries = Object.entries(narrow).map(([name, field]) => [name, row[field]])
  return Object.fromEntries(entries.filter(([, value]) => isSet(value)))
}
