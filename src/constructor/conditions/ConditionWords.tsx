import type { Field } from '../../contract/generated.ts'
import { describeCondition } from '../../contract/meta/describeCondition.ts'
import type { When } from '../../contract/when.ts'
import { useItemLabels } from '../useItemLabels.ts'

/** A condition as a sentence in which also the items of lists have their words. */
export function ConditionWords({ when, reach }: { when: When; reach: Map<string, Field> }): string {
  return useItemLabels((itemLabel) => describeCondition(when, reach, itemLabel))
}
