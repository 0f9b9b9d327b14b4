import type { FormScreen } from '../../../contract/generated.ts'
import type { Reply } from '../../../contract/reply.ts'
import type { HiddenAnswer } from '../../../contract/types/entities.ts'
import { isPlainObject, type Values } from '../../../contract/when.ts'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { useRead } from '../../core/calls.ts'
import { formatDateTime } from '../../core/dates.ts'

interface Props {
  screen: FormScreen
  record: Values
  /** The user may delete the answers for good. */
  mayRemove: boolean
}

/** A collapsed list of the answers of a record that no longer count; nothing if there are none. */
export function HiddenAnswers({ screen: { hiddenAnswers }, record, mayRemove }: Props) {
  const { hidden_answers } = record
  const hasSome = isPlainObject(hidden_answers) && Object.keys(hidden_answers).length > 0
  const params = { id: record.id }
  const { data = [] } = useRead<Reply<HiddenAnswer>[]>(hasSome ? hiddenAnswers?.read : undefined, { params })
  if (!hiddenAnswers || !hasSome || data.length === 0) return null
  return (
    <details className="form-kept">
      <summary>No longer counted ({data.length})</summary>
      <dl className="read-list">
        {data.map((answer) => (
          <div className="read-item" key={answer.name}>
            <dt>{answer.label}</dt>
            <dd>
              <span className="read-lines">{answer.value}</span>{' '}
              <small>
                since {formatDateTime(answer.since)}, {answer.by}
              </small>{' '}
              {mayRemove && (
                <ActionButton
                  small
                  about={answer.label}
                  action={{
                    label: 'Delete',
                    call: hiddenAnswers.remove,
                    confirm:
                      'Delete “{label}” for good? It will not come back when its question is shown again.',
                    danger: true,
                    done: '“{label}” is deleted',
                  }}
                  record={{ ...answer }}
                  params={params}
                />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
