import type { ReactElement } from 'react'
import { type MOST, nearLimit } from '../contract/meta/formLimits.ts'

/** How many there are of how many there may be, once that is near. */
export function LimitNote({ what, count }: { what: keyof typeof MOST; count: number }): ReactElement | null {
  const words = nearLimit(what, count)
  return words ? <p className="constructor-hint">{words}</p> : null
}
