import type { AutomatedForms } from '../../contract/automations/automationFields.ts'
import { describeAutomation } from '../../contract/automations/describeAutomation.ts'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import type { Automation } from '../../contract/generated.ts'
import type { InWords } from './formInWords.ts'

/** Automations in sentences, as one part of a form in words; none without automations. */
export function automationsInWords(
  forms: AutomatedForms,
  automations: Automation[],
  itemLabel?: ItemLabel,
): InWords[] {
  if (automations.length === 0) return []
  const below = automations.map((one) => ({
    number: '',
    label: one.label.trim() || one.name,
    sentences: [...(one.is_on === false ? ['Switched off.'] : []), describeAutomation(one, forms, itemLabel)],
    below: [],
  }))
  return [{ number: '', label: 'What follows from the answers', sentences: [], below }]
}
