import { type ReactElement, useCallback, useMemo } from 'react'
import { filledOutcomes } from '../../contract/automations/evaluateAutomations.ts'
import { daysWords, HELD_WORDS, receiverWords } from '../../contract/automations/outcomes.ts'
import { sampleAutomations } from '../../contract/automations/sampleAutomations.ts'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import type { AlertOutcome, Automation, Group } from '../../contract/generated.ts'
import type { ConditionContext, Values } from '../../contract/when.ts'
import { type Colour, tagClass } from '../../engine/cells/tagClass.ts'
import { useItemLabels } from '../../engine/core/useItemLabels.ts'

interface Props {
  automations: Automation[]
  of: Automation['of']
  groups: Group[]
  /** Includes the sample answers. */
  conditionContext: ConditionContext
}

const COLOURS: Record<AlertOutcome['level'], Colour> = { danger: 'red', warning: 'amber', info: 'blue' }

/** The automations that hold with the sample answers, and what each of them would do. */
export function TriedAutomations({ automations, of, groups, conditionContext }: Props): ReactElement {
  const { holding, answers } = useMemo(
    () => sampleAutomations(automations, of, groups, conditionContext),
    [automations, of, groups, conditionContext],
  )
  return (
    <section className="automation-tried" aria-label="What follows from these answers">
      {holding.length === 0 ? (
        <p className="constructor-hint">No automation holds with these answers.</p>
      ) : (
        <dl>
          {holding.map((one) => (
            <div key={one.name}>
              <dt>{one.label}</dt>
              <Outcomes automation={one} groups={groups} answers={answers} />
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

interface OutcomesProps {
  automation: Automation
  groups: Group[]
  answers: Values
}

function Outcomes({ automation, groups, answers }: OutcomesProps) {
  const describe = useCallback(
    (itemLabel: ItemLabel) => filledOutcomes(automation, groups, answers, itemLabel),
    [automation, groups, answers],
  )
  return useItemLabels(describe).map((outcome, i) => (
    <dd key={i}>
      {'alert' in outcome ? (
        <>
          Alert: <span className={tagClass(COLOURS[outcome.level])}>{outcome.alert}</span>
        </>
      ) : 'notify' in outcome ? (
        `Notified: ${outcome.notify.map(receiverWords).join(', ')}${outcome.urgent ? ', at once' : ''}`
      ) : 'step' in outcome ? (
        `Step for ${receiverWords(outcome.for ?? 'advocate')}: ${outcome.step}, due in ${daysWords(outcome.due)}`
      ) : (
        `Hold of ${HELD_WORDS[outcome.hold]}: ${outcome.text}`
      )}
    </dd>
  ))
}
