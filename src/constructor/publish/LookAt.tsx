import type { ReactElement } from 'react'
import type { DryRun, RecordToLookAt } from '../../contract/answerMigration/dryRun.ts'
import { describeAnswer } from '../../contract/describeAnswer.ts'
import { offeredOptions, takesSeveralChoices } from '../../contract/fieldTypes.ts'
import type { MovedField } from '../state/takeAnswers.ts'
import type { DecidedAnswer } from '../state/usePublishing.ts'
import { NewValueSelect } from './NewValueSelect.tsx'

interface Props {
  run: DryRun
  moves: MovedField[]
  decided: DecidedAnswer[]
  onDecide: (decided: DecidedAnswer[]) => void
}

/**
 * The records with values that do not fit, with a choice for each; without one, the old value stays with the record,
 * for later.
 */
export function LookAt({ run, moves, decided, onDecide }: Props): ReactElement | null {
  const { to_look_at: records, look } = run
  if (records.length === 0) return null
  return (
    <>
      <h3>
        To look at <small>{look > records.length ? `the first ${records.length} of ${look}` : look}</small>
      </h3>
      <ul className="constructor-look">
        {records.map((record) => (
          <RecordRow
            key={`${record.entity} ${record.id} ${record.names[0]}`}
            {...{ record, moves, decided, onDecide }}
          />
        ))}
      </ul>
    </>
  )
}

function RecordRow({
  record,
  moves,
  decided,
  onDecide,
}: Omit<Props, 'run'> & { record: RecordToLookAt }): ReactElement {
  const { entity, id, meta, names, value, client_name } = record
  const move = moves.find((one) => one.meta === meta && one.name === names[0])
  const isOf = (one: DecidedAnswer) => one.entity === entity && one.id === id && one.name === names[0]
  const chosen = decided.find(isOf)
  const what = `${entity} ${id}`
  const choose = (text: string) => {
    const others = decided.filter((one) => !isOf(one))
    if (text === '' || !move) return onDecide(others)
    const single = JSON.parse(text) as unknown
    const next = takesSeveralChoices(move.is) && single !== null ? [single] : single
    onDecide([...others, { entity, id, name: names[0], was: value, value: next }])
  }
  const choices = move ? offeredOptions(move.is) : []
  const selected = chosen && JSON.stringify(Array.isArray(chosen.value) ? chosen.value[0] : chosen.value)
  return (
    <li>
      <a href={`/cases/${record.case}`} target="_blank" rel="noreferrer">
        {client_name}, {what}
      </a>
      <q>{describeAnswer(move?.was, value)}</q>
      {choices.length > 0 && (
        <NewValueSelect
          label={`What it becomes in ${what} of ${client_name}`}
          value={selected ?? ''}
          none="Decide later, keep the words"
          choices={choices}
          onChange={choose}
        />
      )}
    </li>
  )
}
