import { Checkbox, InputGroup } from '@blueprintjs/core'
import { useId, useState } from 'react'
import { parametersOf } from '../../../contract/call.ts'
import type { Candidates as Description, RowWords } from '../../../contract/generated.ts'
import type { Values } from '../../../contract/when.ts'
import { Actions } from '../../actions/Actions.tsx'
import { columnsOf } from '../../cells/columns.ts'
import { Value } from '../../cells/Value.tsx'
import { Skeleton } from '../../core/Busy.tsx'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { ErrorCard } from '../../core/ErrorCard.tsx'
import { fillTemplate } from '../../core/fillTemplate.ts'
import type { ListReply, Row } from '../../core/results.ts'
import { useDebounced } from '../../form/widgets/useDebounced.ts'
import { choiceOf } from '../../form/widgets/useRefChoices.ts'
import { type BatchResult, reportBatch } from './batch.ts'
import { rowWords } from './rowWords.ts'
import type { Selection } from './useSelection.ts'

interface Props {
  candidates: Description
  /** How the selected rows are counted in words. */
  selected?: RowWords
  selection: Selection
  params: Values
  /** Unique name of a row. */
  nameOf: (row: Row) => string
}

/** The records that the selected rows can be assigned to, each with a button for it. */
export default function Candidates({ candidates, selected, selection, params, nameOf }: Props) {
  const { title, source, search, filters = [], choose } = candidates
  const contract = useContract()
  const parameters = parametersOf(contract, contract.endpoints[source])
  const heading = useId()
  const [typed, setTyped] = useState('')
  const term = useDebounced(typed)
  const [chosen, setChosen] = useState<string[]>([])
  const ids = selection.rows.map(({ id }) => id)
  const filled = Object.entries(candidates.params).map(([name, value]) => [
    name,
    fillTemplate(value, { ...params, ids: ids.join() }),
  ])
  const on = Object.fromEntries(chosen.map((name) => [name, true]))
  const query = { ...Object.fromEntries(filled), ...(search && term && { [search]: term }), ...on }
  const read = useRead<ListReply>(source, { query }, { keepPrevious: true })
  const columns = columnsOf(contract, source, candidates.columns)
  const rows = read.data?.data
  return (
    <aside className="candidates" aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {search && (
        <InputGroup
          type="search"
          leftIcon="search"
          aria-label={`Find by name: ${title}`}
          placeholder="Name"
          value={typed}
          onValueChange={setTyped}
        />
      )}
      {filters.length > 0 && (
        <p className="candidates-filters">
          {filters.map((name) => (
            <Checkbox
              key={name}
              inline
              label={parameters[name].title}
              checked={chosen.includes(name)}
              onChange={() =>
                setChosen(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])
              }
            />
          ))}
        </p>
      )}
      {read.error && <ErrorCard error={read.error} onRetry={() => void read.refetch()} />}
      {read.isLoading && <Skeleton lines={4} />}
      {rows?.length === 0 && <p className="candidates-empty">Nobody matches.</p>}
      <ol aria-busy={read.isPlaceholderData}>
        {rows?.map((row) => {
          const { label, about } = choiceOf(row, candidates)
          return (
            <li key={String(row.id)}>
              <div className="candidate-head">
                <h3>{label}</h3>
                <Actions
                  actions={[{ ...choose, done: undefined }]}
                  record={{ ...row, ids, ...(selected && { selected: rowWords(selection.rows, selected) }) }}
                  params={params}
                  about={`${ids.length} to ${label}`}
                  onDone={(reply, undo) =>
                    reportBatch(choose, (reply ?? {}) as BatchResult, selection, nameOf, undo)
                  }
                  small
                />
              </div>
              {about && <p>{about}</p>}
              <dl>
                {columns.map((column) => (
                  <div key={column.field}>
                    <dt>{column.title}</dt>
                    <dd>
                      <Value column={column} row={row} />
                    </dd>
                  </div>
                ))}
              </dl>
            </li>
          )
        })}
      </ol>
    </aside>
  )
}
