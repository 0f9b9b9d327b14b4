import { Button } from '@blueprintjs/core'
import { type MouseEvent, type ReactNode, useState } from 'react'
import type { Action, ListScreen } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { Actions } from '../actions/Actions.tsx'
import { fillTemplate } from '../runtime/fillTemplate.ts'
import { notify } from '../runtime/notices.ts'
import type { Row } from './results.ts'
import type { Selection } from './useSelection.ts'

/** So many reasons are said, and of each so many rows named; the others are counted. */
const MOST_NAMED = 5

interface Failure {
  id: number
  message: string
}

/** What a call for several rows may reply. */
interface BatchResult extends Values {
  failed?: Failure[]
}

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
  const end = (action: Action, result: BatchResult) => {
    const failed = result.failed ?? []
    const isLeft = (row: Row) => failed.some(({ id }) => id === row.id)
    selection.toggle(
      rows.filter((row) => !isLeft(row)),
      false,
    )
    const done = fillTemplate(action.done ?? '', result)
    if (failed.length === 0) return done && notify({ kind: 'success', text: done })
    const nameById = (id: number) => nameOf(rows.find((row) => row.id === id) ?? { id })
    const text = [...reasonsOf(failed, nameById), 'They are still selected.'].join(' ')
    notify({ kind: 'warning', title: done, text })
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
          onDone={(reply) => end(action, (reply ?? {}) as BatchResult)}
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

/** '12, 15: Ann is on leave.': a sentence for each reason, with the rows that it is about. */
function reasonsOf(failed: Failure[], nameOf: (id: number) => string): string[] {
  const byMessage = new Map<string, string[]>()
  for (const { id, message } of failed)
    byMessage.set(message, [...(byMessage.get(message) ?? []), nameOf(id)])
  const reasons = [...byMessage].map(([message, names]) => `${shortened(names)}: ${message}.`)
  const left = [...byMessage.values()].slice(MOST_NAMED).flat().length
  return [...reasons.slice(0, MOST_NAMED), ...(left > 0 ? [`And ${left} more.`] : [])]
}

function shortened(names: string[]): string {
  const left = names.length - MOST_NAMED
  return `${names.slice(0, MOST_NAMED).join(', ')}${left > 0 ? ` and ${left} more` : ''}`
}

/** The values that all rows share, by field. */
function commonValues([first, ...others]: Row[]): Values {
  const shared = Object.entries(first ?? {}).filter(([name, value]) =>
    others.every((row) => row[name] === value),
  )
  return Object.fromEntries(shared)
}
