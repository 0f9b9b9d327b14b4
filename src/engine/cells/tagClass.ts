import { Classes } from '@blueprintjs/core'
import type { ColumnTag } from '../../contract/generated.ts'

export type Colour = ColumnTag['colour']

/** The classes of a coloured tag; the colours are defined in tags.css. */
export function tagClass(colour: Colour): string {
  return `${Classes.TAG} ${Classes.MINIMAL} tag-${colour}`
}
