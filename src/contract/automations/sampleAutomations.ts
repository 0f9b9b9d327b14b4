import type { Automation, Group } from '../generated.ts'
import { evaluate } from '../visible.ts'
import type { ConditionContext, Values } from '../when.ts'
import { type AutomationRecord, holdingAutomations } from './evaluateAutomations.ts'

/**
 * The automations that hold for a sample record with the answers of `conditionContext`. Its client, case, columns and
 * deadlines are those of the context too; the record is open unless its columns say otherwise. Hidden answers do not
 * count.
 */
export function sampleAutomations(
  automations: Automation[],
  of: Automation['of'],
  groups: Group[],
  conditionContext: ConditionContext,
): { holding: Automation[]; answers: Values } {
  const { answers } = evaluate(groups, conditionContext)
  const { case: caseValues = {}, client = {} } = (conditionContext.with ?? {}) as Record<string, Values>
  const record: AutomationRecord = {
    of,
    isOpen: conditionContext.record?.is_opened !== false,
    record: { is_opened: true, ...conditionContext.record },
    deadline: conditionContext.deadline,
    answers,
    caseValues: of === 'case' ? { ...caseValues, ...answers } : caseValues,
    client,
  }
  return { holding: holdingAutomations(automations, record), answers }
}
