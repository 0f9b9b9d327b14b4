import type { ReactElement } from 'react'
import { type FORM_LIMITS, nearLimit } from '../../contract/meta/formLimits.ts'

/** Shows the count and its maximum once the count is near it. */
export function LimitNote({
  what,
  count,
}: {
  what: keyof typeof FORM_LIMITS
  count: number
}): ReactElement | null {
  const words = nearLimit(what, count)
  return words ? <p className="constructor-hint">{words}</p> : null
}
