import { Classes } from '@blueprintjs/core'
import type { ColumnTag } from '../../contract/generated.ts'

export type Colour = ColumnTag['colour']

/** The classes of a tag whose colour has a meaning; each is named in tokens.css. */
export function tagClass(colour: Colour): string {
  return `${Classes.TAG} ${Classes.MINIMAL} tag-${colour}`
}
