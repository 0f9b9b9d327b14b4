import { applyChanges } from '../../../contract/applyChanges.ts'
import { withoutBlanks } from '../../../contract/validateAnswers.ts'
import type { ConditionContext, Values } from '../../../contract/when.ts'
import { today } from '../../core/today.ts'
import { getAt, join, setAt } from './paths.ts'
import type { FormSection } from './sections.ts'
import { editableGroups, slicesOf } from './slices.ts'
import { validateSchema } from './validateSchema.ts'

/**
 * The body of a new record: editable, answered and visible values. After a publication (`isOlder`) all answers to metas
 * are included: the server distinguishes what the person hid from what the new version hides.
 */
export function visibleValues(
  sections: FormSection[],
  document: Values,
  conditionContext: ConditionContext,
  isOlder = false,
): Values {
  let result: Values = {}
  for (const { at, isMeta } of isOlder ? sections : []) {
    if (!isMeta) continue
    for (const [name, value] of Object.entries(withoutBlanks((getAt(document, at) ?? {}) as Values)))
      result = setAt(result, join(at, name), value)
  }
  for (const { at, groups, conditionContext: context } of slicesOf(sections, document, conditionContext)) {
    const options = {
      groups: editableGroups(groups),
      stored: {},
      sent: context.answers ?? {},
      conditionContext: context,
      validateSchema,
      today: today(),
      // As on the server: a new record has the defaults of hidden fields, on which other fields may depend.
      all: true,
    }
    for (const [name, value] of Object.entries(applyChanges(options).values))
      result = setAt(result, join(at, name), value)
  }
  return result
}
