import type { Action } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
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
export interface BatchResult extends Values {
  failed?: Failure[]
}

/** Says how a call for the ticked rows went: those that failed stay ticked, with their reasons. */
export function reportBatch(
  action: Action,
  result: BatchResult,
  selection: Selection,
  nameOf: (row: Row) => string,
): void {
  const { rows } = selection
  const failed = result.failed ?? []
  const isLeft = (row: Row) => failed.some(({ id }) => id === row.id)
  selection.toggle(
    rows.filter((row) => !isLeft(row)),
    false,
  )
  const done = fillTemplate(action.done ?? '', result)
  if (failed.length === 0) {
    if (done) notify({ kind: 'success', text: done })
    return
  }
  const nameById = (id: number) => nameOf(rows.find((row) => row.id === id) ?? { id })
  const text = [...reasonsOf(failed, nameById), 'They are still selected.'].join(' ')
  notify({ kind: 'warning', title: done, text })
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
