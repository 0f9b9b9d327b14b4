import { type ReactElement, useMemo } from 'react'
import { dueWords } from '../../contract/caseType/deadlineDifferences.ts'
import { sampleDeadlines } from '../../contract/deadlines/sampleDeadlines.ts'
import type { Deadline, Group } from '../../contract/generated.ts'
import type { MetaName, Metas } from '../../contract/meta/metaTypes.ts'
import { META_OF } from '../../contract/meta/recordFields.ts'
import { capitalised } from '../../contract/quoted.ts'
import type { ConditionContext } from '../../contract/when.ts'
import type { Trial } from '../state/trial.ts'
import { TrialFacts } from './TrialFacts.tsx'

interface Props {
  deadlines: Deadline[]
  metas: Metas
  meta: MetaName
  groups: Group[]
  /** Includes the sample answers, and what the trial says of the record and its case. */
  conditionContext: ConditionContext
  trial: Trial
  onTrial: (trial: Trial) => void
}

/** What is due with the sample answers, and what it is tried with. */
export function TriedDeadlines(props: Props): ReactElement | null {
  const { deadlines, metas, meta, groups, conditionContext, trial, onTrial } = props
  const own = useMemo(
    () => deadlines.filter(({ of, is_on }) => META_OF[of] === meta && is_on !== false),
    [deadlines, meta],
  )
  const due = useMemo(
    () => sampleDeadlines(own, meta, groups, conditionContext, trial.with.actions),
    [own, meta, groups, conditionContext, trial],
  )
  if (own.length === 0) return null
  return (
    <section className="automation-tried" aria-label="What is due with these answers">
      <TrialFacts deadlines={own} metas={metas} trial={trial} onChange={onTrial} />
      <dl>
        {own.map(({ name, label }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd>{capitalised(dueWords(due[name]))}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
