import { useSyncExternalStore } from 'react'
import type { ConditionContext } from '../../contract/when.ts'
import type { FormStore } from './formStore.ts'
import { ReadValue } from './ReadView.tsx'

/** A collapsed list of the answers that the form no longer asks for; nothing if there are none. */
export function KeptAnswers({
  store,
  conditionContext,
}: {
  store: FormStore
  conditionContext: ConditionContext
}) {
  const kept = useSyncExternalStore(store.subscribe, store.keptAnswers)
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
