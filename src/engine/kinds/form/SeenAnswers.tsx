import { WITHHELD } from '../../../contract/filledTexts.ts'
import type { FormScreen } from '../../../contract/generated.ts'
import { type SeenValue, type SeenValues, sourceOfPath } from '../../../contract/seen.ts'
import type { ConditionContext, Values } from '../../../contract/when.ts'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { formatDate } from '../../core/dates.ts'
import { ReadValue } from '../../form/widgets/ReadView.tsx'

interface Props {
  screen: FormScreen
  record: Values
  conditionContext: ConditionContext
  /** The user may read the values again. */
  mayTake: boolean
}

/** A collapsed list of the values of other records that the form refers to; nothing if there are none. */
export function SeenAnswers({ screen: { seenAnswers }, record, conditionContext, mayTake }: Props) {
  const [seen] = Object.values(conditionContext.seenAt ?? {})
  const entries = Object.entries((record.answers_seen ?? {}) as SeenValues)
  if (!seenAnswers || !seen || entries.length === 0) return null
  return (
    <details className="form-kept">
      <summary>Values from other records ({entries.length})</summary>
      <dl className="read-list">
        {entries.map(([path, one]) => {
          const field = seen.fields.get(path)
          return (
            <div className="read-item" key={path}>
              <dt>{field?.label ?? path}</dt>
              <dd>
                {one.isWithheld || !field ? (
                  WITHHELD
                ) : (
                  <ReadValue field={field} value={one.value} conditionContext={conditionContext} />
                )}{' '}
                <small>{dayWords(path, one)}</small>
              </dd>
            </div>
          )
        })}
      </dl>
      {mayTake && (
        <ActionButton
          small
          action={{
            label: 'Take the latest',
            call: seenAnswers.latest,
            done: 'The form has the latest values',
          }}
          record={record}
          params={{ id: record.id }}
        />
      )}
    </details>
  )
}

function dayWords(path: string, { day, isWithheld }: SeenValue): string {
  if (!day || isWithheld) return ''
  return sourceOfPath(path) === 'last' ? `of ${formatDate(day)}` : `as of ${formatDate(day)}`
}
