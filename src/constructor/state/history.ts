import { isEqual } from '../../contract/isEqual.ts'

/** A state to return to; `what` describes the change between it and the state after it. */
interface HistoryStep<T, At> {
  state: T
  what: string
  at: At
}
/** Past, present and undone states; with `typing`, the next edit may join the last step. */
export interface History<T, At> {
  past: HistoryStep<T, At>[]
  present: T
  future: HistoryStep<T, At>[]
  typing: boolean
}
export type HistoryAction<T, At> =
  | { do: 'edit'; edit: (present: T) => T; what: string; at: At; typing?: boolean }
  | { do: 'undo' }
  | { do: 'redo' }
  | { do: 'start'; with: T }

const MAX_STEPS = 200

export function startHistory<T, At>(present: T): History<T, At> {
  return { past: [], present, future: [], typing: false }
}

/**
 * Reducer of the history. Edits of the same place and `what` while typing are one step; one that changes nothing is
 * none.
 */
export function historyReducer<T, At>(history: History<T, At>, action: HistoryAction<T, At>): History<T, At> {
  const { past, present, future } = history
  if (action.do === 'start') return startHistory(action.with)
  if (action.do === 'undo') {
    const last = past.at(-1)
    if (!last) return history
    const undone = { ...last, state: present }
    return { past: past.slice(0, -1), present: last.state, future: [undone, ...future], typing: false }
  }
  if (action.do === 'redo') {
    const [next, ...rest] = future
    if (!next) return history
    return { past: [...past, { ...next, state: present }], present: next.state, future: rest, typing: false }
  }
  const edited = action.edit(present)
  if (edited === present) return history
  const typing = action.typing === true
  const last = past.at(-1)
  if (typing && history.typing && last?.what === action.what && isEqual(last.at, action.at)) {
    return { past, present: edited, future: [], typing }
  }
  const step = { state: present, what: action.what, at: action.at }
  return { past: [...past, step].slice(-MAX_STEPS), present: edited, future: [], typing }
}
