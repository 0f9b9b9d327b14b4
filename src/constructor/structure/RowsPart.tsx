import type { ReactElement, ReactNode } from 'react'
import { pluralise } from '../../contract/pluralise.ts'
import { useNear } from '../controls/useNear.ts'

/** About the height of a row with one line of label. */
const ROW = 46

interface Props {
  /** Number of its fields or groups. */
  count: number
  what: 'field' | 'group'
  /** Number of its rows, with those of the fields in its groups. */
  rows: number
  /** A row in it is selected or dragged, so it is rendered wherever it is. */
  isHeld: boolean
  children: () => ReactNode
}

/** Part of a long list of rows, rendered once it is near the visible area. */
export function RowsPart({ count, what, rows, isHeld, children }: Props): ReactElement {
  const { ref, isNear, height } = useNear(rows * ROW)
  if (isNear || isHeld) return <ul ref={ref}>{children()}</ul>
  return (
    <ul ref={ref} data-unrendered="" style={{ height }}>
      <li className="visually-hidden">{pluralise(count, what)} further on</li>
    </ul>
  )
}
