import { Button } from '@blueprintjs/core'
import { type MouseEvent, type ReactNode, useState } from 'react'
import type { ListScreen } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { Actions } from '../actions/Actions.tsx'
import { type BatchResult, reportBatch } from './batch.ts'
import type { Row } from './results.ts'
import type { Selection } from './useSelection.ts'

interface Props {
  screen: ListScreen
  selection: Selection
  params: Values
  /** What a row is called among others of the same name. */
  nameOf: (row: Row) => string
  /** Further buttons for the ticked rows. */
  children: ReactNode
}

/** What can be done with the ticked rows of a list: its actions for several, and what the list adds. */
export default function SelectionBar({ screen, selection, params, nameOf, children }: Props) {
  const { rows } = selection
  const [isNoneSelected, setNoneSelected] = useState(false)
  const count = rows.length
  const ids = rows.map(({ id }) => id)
  const refuseNone = (event: MouseEvent) => {
    setNoneSelected(count === 0)
    if (count === 0) event.stopPropagation()
  }
  const record = { ...commonValues(rows), ids }
  return (
    <div className="list-selection" onClickCapture={refuseNone}>
      {screen.selection?.map((action) => (
        <Actions
          key={action.label}
          // Of several rows one notice says how it went, which is not the one of a single record.
          actions={[{ ...action, done: undefined }]}
          record={record}
          params={params}
          about={`${count} selected`}
          onDone={(reply) => reportBatch(action, (reply ?? {}) as BatchResult, selection, nameOf)}
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
