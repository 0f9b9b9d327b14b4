import type { Action } from '../../../contract/generated.ts'
import type { Values } from '../../../contract/when.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'
import { notify } from '../../core/notices.ts'
import type { Row } from '../../core/results.ts'
import type { Selection } from './useSelection.ts'

/** Maximum number of reasons in a notice, and of row names for each reason; the others are counted. */
const MAX_NAMED = 5

interface Failure {
  id: number
  message: string
}

/** The reply of a call for several rows. */
export interface BatchResult extends Values {
  failed?: Failure[]
}

/** Emits a notice of the result of a call for the selected rows; those that failed stay selected. */
export function reportBatch(
  action: Action,
  result: BatchResult,
  selection: Selection,
  nameOf: (row: Row) => string,
  undo?: () => void,
): void {
  const { rows } = selection
  const failed = result.failed ?? []
  const isFailed = (row: Row) => failed.some(({ id }) => id === row.id)
  selection.toggle(
    rows.filter((row) => !isFailed(row)),
    false,
  )
  const done = fillTemplate(action.done ?? '', result)
  const withUndo = undo && rows.length > failed.length && { action: { label: 'Undo', run: undo } }
  if (failed.length === 0) {
    if (done) notify({ kind: 'success', text: done, ...withUndo })
    return
  }
  const nameById = (id: number) => nameOf(rows.find((row) => row.id === id) ?? { id })
  const text = [...reasonsOf(failed, nameById), 'They are still selected.'].join(' ')
  notify({ kind: 'warning', title: done, text, ...withUndo })
}

/** A sentence for each reason, with the names of its rows, such as '12, 15: Ann is on leave.'. */
function reasonsOf(failed: Failure[], nameOf: (id: number) => string): string[] {
  const byMessage = new Map<string, string[]>()
  for (const { id, message } of failed)
    byMessage.set(message, [...(byMessage.get(message) ?? []), nameOf(id)])
  const reasons = [...byMessage].map(([message, names]) => `${shortened(names)}: ${message}.`)
  const left = [...byMessage.values()].slice(MAX_NAMED).flat().length
  return [...reasons.slice(0, MAX_NAMED), ...(left > 0 ? [`And ${left} more.`] : [])]
}

function shortened(names: string[]): string {
  const left = names.length - MAX_NAMED
  return `${names.slice(0, MAX_NAMED).join(', ')}${left > 0 ? ` and ${left} more` : ''}`
}
