import { useSyncExternalStore } from 'react'
import { holdsRows } from '../../contract/fieldTypes.ts'
import { isEqual } from '../../contract/isEqual.ts'
import { type ConditionContext, getIn, isPlainObject } from '../../contract/when.ts'
import type { FormStore } from './store/formStore.ts'
import type { KeptAnswer } from './store/keptAnswers.ts'
import { ReadValue } from './widgets/ReadView.tsx'

/** A collapsed list of the answers that the form no longer asks for; nothing if there are none. */
export function KeptAnswers({
  store,
  conditionContext,
}: {
  store: FormStore
  conditionContext: ConditionContext
}) {
  const all = useSyncExternalStore(store.subscribe, store.keptAnswers)
  const kept = all.filter((one) => !isStored(one, conditionContext))
  if (kept.length === 0) return null
  return (
    <details className="form-kept">
      <summary>Answers kept, no longer asked ({kept.length})</summary>
      <dl className="read-list">
        {kept.map(({ path, field, value }) => (
          <div className="read-item" key={path}>
            <dt>{field.label}</dt>
            <dd>
              <ReadValue field={field} value={value} conditionContext={conditionContext} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** True if the answer is among the stored record's `hidden_answers`, which HiddenAnswers lists. */
function isStored({ path, field, value }: KeptAnswer, { record }: ConditionContext): boolean {
  const [at, name, ...inRows] = path.split('.')
  if (at !== 'answers' || !isPlainObject(record?.hidden_answers)) return false
  const hidden = getIn(record.hidden_answers, [name, 'value'])
  return hidden !== undefined && (inRows.length > 0 || holdsRows(field) || isEqual(hidden, value))
}
