import type { AssignScreen } from '../../contract/types.ts'
import { isSet, type Values } from '../../contract/when.ts'
import type { Row } from '../list/results.ts'

export type Asked = AssignScreen['assignment']

/** Parameters by which a row narrows what can be chosen for it. */
export function narrowed({ narrow = {} }: Asked, row: Row): Values {
  const filled = Object.entries(narrow).map(([name, field]) => [name, row[field]])
  return Object.fromEntries(filled.filter(([, value]) => isSet(value)))
}
