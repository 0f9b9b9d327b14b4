import { Button } from '@blueprintjs/core'
import { type MouseEvent, type ReactNode, useState } from 'react'
import type { ListScreen } from '../../../contract/generated.ts'
import type { Values } from '../../../contract/when.ts'
import { Actions } from '../../actions/Actions.tsx'
import type { Row } from '../../core/results.ts'
import { type BatchResult, reportBatch } from './batch.ts'
import { rowWords } from './rowWords.ts'
import type { Selection } from './useSelection.ts'

interface Props {
  screen: ListScreen
  selection: Selection
  params: Values
  /** Unique name of a row. */
  nameOf: (row: Row) => string
  /** Further buttons for the selected rows. */
  children: ReactNode
}

/** The actions for the selected rows of a list, and further buttons. */
export default function SelectionBar({ screen, selection, params, nameOf, children }: Props) {
  const { rows } = selection
  const [isNoneSelected, setNoneSelected] = useState(false)
  const count = rows.length
  const ids = rows.map(({ id }) => id)
  const refuseNone = (event: MouseEvent) => {
    setNoneSelected(count === 0)
    if (count === 0) event.stopPropagation()
  }
  const record = {
    ...commonValues(rows),
    ids,
    ...(screen.selected && { selected: rowWords(rows, screen.selected) }),
  }
  return (
    <div className="list-selection" onClickCapture={refuseNone}>
      {screen.selection?.map((action) => (
        <Actions
          key={action.label}
          // reportBatch emits one notice for all rows, instead of that for a single record.
          actions={[{ ...action, done: undefined }]}
          record={record}
          params={params}
          about={`${count} selected`}
          onDone={(reply, undo) => reportBatch(action, (reply ?? {}) as BatchResult, selection, nameOf, undo)}
        />
      ))}
      {children}
      <span role="status">{count > 0 ? `${count} selected` : ''}</span>
      {isNoneSelected && count === 0 && (
        <span role="alert" className="field-error">
          Select an item for this task
        </span>
      )}
      {count > 0 && <Button variant="minimal" text="Clear selection" onClick={selection.clear} />}
    </div>
  )
}

/** The values that all rows share, by field. */
function commonValues([first, ...others]: Row[]): Values {
  const shared = Object.entries(first ?? {}).filter(([name, value]) =>
    others.every((row) => row[name] === value),
  )
  return Object.fromEntries(shared)
}
