import type { ReactNode } from 'react'
import type { Group } from '../../contract/generated.ts'
import { countFields } from '../../contract/meta/formLimits.ts'
import { partsOf } from '../controls/useNear.ts'
import { RowsPart } from './RowsPart.tsx'

interface Props {
  groups: Group[]
  /** The form is so large that only what is near the visible area is rendered. */
  isLarge: boolean
  /** Names of the groups with the selected and the dragged row. */
  held: (string | undefined)[]
  children: (group: Group) => ReactNode
}

/** The groups of the tree; those of a large form in parts, each rendered once it is near the visible area. */
export function GroupParts({ groups, isLarge, held, children }: Props): ReactNode {
  const parts = partsOf(groups)
  if (!isLarge || parts.length === 1) return <ul>{groups.map(children)}</ul>
  return parts.map((part, i) => (
    <RowsPart
      key={i}
      what="group"
      count={part.length}
      rows={part.reduce((sum, group) => sum + ROWS_AROUND + countFields(group), 0)}
      isHeld={part.some(({ name }) => held.includes(name))}
    >
      {() => part.map(children)}
    </RowsPart>
  ))
}

/** The row of a group and the button that adds a field to it. */
const ROWS_AROUND = 2
