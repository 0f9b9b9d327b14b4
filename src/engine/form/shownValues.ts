import { settle } from '../../contract/settle.ts'
import type { Scope, Values } from '../../contract/when.ts'
import { check } from './check.ts'
import { join, setAt } from './paths.ts'
import type { FormSection } from './sections.ts'
import { asked, slicesOf } from './slices.ts'
import { today } from './today.ts'

/** The document as it is sent for a new record: what is asked and given, without what is hidden. */
export function shownValues(sections: FormSection[], document: Values, scope: Scope): Values {
  let shown: Values = {}
  for (const { at, groups, scope: seen } of slicesOf(sections, document, scope)) {
    const given = {
      groups: asked(groups),
      stored: {},
      sent: seen.answers ?? {},
      scope: seen,
      check,
      today: today(),
    }
    for (const [name, value] of Object.entries(settle(given).values))
      shown = setAt(shown, join(at, name), value)
  }
  return shown
}
