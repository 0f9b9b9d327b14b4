import { Button, HTMLTable } from '@blueprintjs/core'
import { memo, useId, useState } from 'react'
import type { AssignScreen } from '../../../contract/generated.ts'
import type { Values } from '../../../contract/when.ts'
import type { RenderedColumn } from '../../cells/columns.ts'
import { Value } from '../../cells/Value.tsx'
import { LoadingOverlay } from '../../core/LoadingOverlay.tsx'
import type { Row } from '../../core/results.ts'
import { useSaveShortcut } from '../../core/useSaveShortcut.ts'
import { WaitingNote } from '../../core/WaitingNote.tsx'
import { UnsavedGuard } from '../../form/drafts/UnsavedGuard.tsx'
import { ErrorSummary } from '../../form/ErrorSummary.tsx'
import type { Choice } from '../../form/widgets/Typeahead.tsx'
import { CELL, HEAD, ROW, ROW_HEAD, ROWS, TABLE } from '../list/tableRoles.ts'
import { AssigneeSelect } from './AssigneeSelect.tsx'
import { AssignSummary } from './AssignSummary.tsx'
import { ALL, useAssigning } from './useAssigning.ts'
import type { AssignQuestion } from './useEligibleRows.ts'

/** A row and the select of its assignee; memoised, because there may be hundreds of rows. */
const AssignRow = memo(function AssignRow(props: AssignRowProps) {
  const { id, row, columns, assignment, except, chosen, error, onChoose } = props
  const [first, ...others] = columns
  return (
    <tr {...ROW}>
      <th {...ROW_HEAD} scope="row" data-label={first.title}>
        <Value column={first} row={row} />
      </th>
      {others.map((column) => (
        <td {...CELL} key={column.field} data-label={column.title}>
          <Value column={column} row={row} />
        </td>
      ))}
      <td {...CELL} className="field" data-label={assignment.label}>
        <AssigneeSelect
          {...{ id, assignment, row, except, chosen, error }}
          label={`${assignment.label} of ${row[first.field] ?? ''}, ${row.id}`}
          isHidden
          onChoose={(choice) => onChoose(row, choice)}
        />
      </td>
    </tr>
  )
})

interface Props {
  screen: AssignScreen
  title: string
  columns: RenderedColumn[]
  rows: Row[]
  params: Values
  /** Parent record of the rows. */
  record?: Values
}

/** One select for all rows and one for each row; the row's own wins. */
export function AssignForm({ screen, title, columns, rows, params, record }: Props) {
  const { assignment, button = 'Save' } = screen
  const prefix = useId()
  const assigning = useAssigning({ screen, rows, params })
  const { assignments, errors, attempt, announcement, assignOne, assignAll, save, isBusy, waiting } =
    assigning
  const [isAsking, setAsking] = useState(false)
  const submit = () => {
    if (!screen.summary) void save()
    else if (!isBusy && assigning.isReady()) setAsking(true)
  }
  useSaveShortcut(submit)
  const count = rows.filter(({ id }) => assignments.has(id)).length
  const except = assignment.except === undefined ? undefined : record?.[assignment.except]
  return (
    <>
      {attempt > 0 && errors.size > 0 && (
        <ErrorSummary
          key={attempt}
          idPrefix={prefix}
          errors={Object.fromEntries([...errors].map(([id, text]) => [String(id), [text]]))}
        />
      )}
      <div className="field assign-all">
        <AssigneeSelect
          id={`${prefix}.${ALL}`}
          label={`${assignment.label} for all`}
          assignment={assignment}
          except={except}
          chosen={assignments.get(ALL)}
          error={errors.get(ALL)}
          onChoose={(choice) => void assignAll(choice)}
        />
        <p role="status">{announcement}</p>
      </div>
      <HTMLTable {...TABLE} compact className="list-table">
        <caption className="visually-hidden">{title}</caption>
        <thead {...ROWS}>
          <tr {...ROW}>
            {columns.map(({ field, title: heading }) => (
              <th {...HEAD} key={field} scope="col">
                {heading}
              </th>
            ))}
            <th {...HEAD} scope="col" className="assign-ask">
              {assignment.label}
            </th>
          </tr>
        </thead>
        <tbody {...ROWS}>
          {rows.map((row) => (
            <AssignRow
              key={String(row.id)}
              id={`${prefix}.${row.id}`}
              {...{ row, columns, assignment, except }}
              chosen={assignments.get(row.id)}
              error={errors.get(row.id)}
              onChoose={assignOne}
            />
          ))}
        </tbody>
      </HTMLTable>
      <div className="form-bar">
        <Button
          intent="primary"
          text={button}
          loading={isBusy}
          aria-busy={isBusy}
          aria-haspopup={screen.summary ? 'dialog' : undefined}
          onClick={submit}
        />
        <WaitingNote save={waiting} />
        <span role="status">{count === 0 ? '' : `${count} of ${rows.length} chosen, not saved yet`}</span>
      </div>
      {isAsking && screen.summary && (
        <AssignSummary
          {...{ rows, assignments, button, isBusy, waiting }}
          summary={screen.summary}
          unfit={assigning.unfit}
          record={{ ...params, ...record }}
          onClose={() => {
            waiting?.cancel()
            setAsking(false)
          }}
          onYes={() => void save().then(() => setAsking(false))}
        />
      )}
      <UnsavedGuard when={count > 0} />
      <LoadingOverlay text={`${button}: ${count} of ${rows.length}…`} show={isBusy && !waiting} />
    </>
  )
}

interface AssignRowProps {
  id: string
  row: Row
  columns: RenderedColumn[]
  assignment: AssignQuestion
  except: unknown
  chosen: Choice | undefined
  error: string | undefined
  onChoose: (row: Row, choice: Choice | undefined) => void
}
