import { useCallback, useRef, useState } from 'react'
import type { AssignScreen } from '../../../contract/generated.ts'
import type { Values } from '../../../contract/when.ts'
import { useSend, useWaitingSend } from '../../core/calls.ts'
import { fieldErrors } from '../../core/fieldErrors.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'
import { newIdempotencyKey } from '../../core/idempotencyKey.ts'
import { notify } from '../../core/notices.ts'
import { notifyUnhandled } from '../../core/notifyUnhandled.ts'
import type { Row } from '../../core/results.ts'
import type { Choice } from '../../form/widgets/Typeahead.tsx'
import { useEligibleRows } from './useEligibleRows.ts'

/** Key of the assignment for all rows, in place of a row's ID. */
export const ALL = 'all'

interface AssignOptions {
  screen: AssignScreen
  rows: Row[]
  params: Values
}

/**
 * The assignments by row id; `announcement` is set, and `unfit` has the rows, if a choice for all does not fit every
 * row; `attempt` counts rejected saves.
 */
export function useAssigning({ screen, rows, params }: AssignOptions) {
  const { assignment } = screen
  const [errors, setErrors] = useState<ReadonlyMap<unknown, string>>(new Map())
  const [attempt, setAttempt] = useState(0)
  /** Clears the errors of rows that changed, and the one for all rows. */
  const clearErrors = useCallback((ids: unknown[]) => {
    setErrors((now) => {
      const left = [...now].filter(([id]) => id !== ALL && !ids.includes(id))
      return left.length === now.size ? now : new Map(left)
    })
  }, [])
  const { assignments, announcement, unfit, assignOne, assignAll, reset } = useAssignments(
    assignment,
    rows,
    clearErrors,
  )
  const showErrors = (validationErrors: Map<unknown, string>) => {
    setErrors(validationErrors)
    setAttempt((n) => n + 1)
  }
  const send = useSendAssignments({ screen, params })

  /** True if there is something to save; otherwise says so. */
  const isReady = (): boolean => {
    const ready = rows.some(({ id }) => assignments.has(id))
    if (!ready) showErrors(new Map([[ALL, `${assignment.label}: choose for at least one row`]]))
    return ready
  }
  const save = async () => {
    if (send.isBusy || !isReady()) return
    const chosen = rows.filter(({ id }) => assignments.has(id))
    try {
      await send.send(chosen, assignments, () => {
        reset()
        setErrors(new Map())
      })
    } catch (error) {
      const validationErrors = fieldErrors(error)
      if (validationErrors) showErrors(byRow(validationErrors, chosen, screen))
      else notifyUnhandled(error)
    }
  }
  return {
    assignments,
    errors,
    attempt,
    announcement,
    assignOne,
    assignAll,
    save,
    isReady,
    unfit,
    isBusy: send.isBusy,
    waiting: send.waiting,
  }
}

/** The choices by row id, for one row or for all rows that a choice fits. */
function useAssignments(
  assignment: AssignScreen['assignment'],
  rows: Row[],
  onAssigned: (ids: unknown[]) => void,
) {
  const [assignments, setAssignments] = useState<ReadonlyMap<unknown, Choice>>(new Map())
  const [announcement, setAnnouncement] = useState('')
  const [unfit, setUnfit] = useState<ReadonlySet<unknown>>(new Set())
  const eligibleRowsOf = useEligibleRows(assignment)
  const latest = useRef<Choice>(undefined)
  const assignOne = useCallback(
    (row: Row, choice: Choice | undefined) => {
      if (choice) onAssigned([row.id])
      setAssignments((now) => {
        const next = new Map(now)
        if (choice) next.set(row.id, choice)
        else next.delete(row.id)
        return next
      })
    },
    [onAssigned],
  )
  const assignAll = async (choice: Choice | undefined) => {
    latest.current = choice
    setAnnouncement('')
    setUnfit(new Set())
    // Typing clears the choice first; the rows keep theirs until there is another.
    if (!choice) return setAssignments((now) => new Map([...now].filter(([id]) => id !== ALL)))
    setAssignments((now) => new Map(now).set(ALL, choice))
    const eligible = await eligibleRowsOf(rows, choice)
    if (latest.current !== choice) return
    if (eligible.length > 0) onAssigned(eligible.map(({ id }) => id))
    setAssignments((now) => new Map([...now, ...eligible.map(({ id }) => [id, choice] as const)]))
    const taken = new Set(eligible.map(({ id }) => id))
    setUnfit(new Set(rows.map(({ id }) => id).filter((id) => !taken.has(id))))
    if (eligible.length < rows.length)
      setAnnouncement(
        `${choice.label} can take ${eligible.length} of ${rows.length}; the others need somebody else.`,
      )
  }
  const reset = () => {
    setAssignments(new Map())
    setAnnouncement('')
  }
  return { assignments, announcement, unfit, assignOne, assignAll, reset }
}

/** Saves assignments with one call, whose notice offers to undo it. */
function useSendAssignments({ screen, params }: Pick<AssignOptions, 'screen' | 'params'>) {
  const { assignment, save: call, done } = screen
  const save = useWaitingSend<Values>(call)
  const sendUndo = useSend<Values>(screen.undo ?? call)
  const sent = useRef<{ text: string; key: string }>(undefined)
  const undo = async (body: unknown) => {
    // The HTTP client has shown the error.
    const undone = await sendUndo.mutateAsync({ params, body }).catch(() => undefined)
    if (undone) notify({ kind: 'success', text: 'Undone' })
  }
  const send = async (rows: Row[], assignments: ReadonlyMap<unknown, Choice>, onSaved: () => void) => {
    const body = {
      [assignment.list]: rows.map(({ id }) => ({
        [assignment.row]: id,
        [assignment.field]: assignments.get(id)!.value,
      })),
    }
    // A retry after a lost reply must not save twice.
    const text = JSON.stringify(body)
    if (sent.current?.text !== text) sent.current = { text, key: newIdempotencyKey() }
    const reply = await save.mutateAsync({ params, body, key: sent.current.key })
    sent.current = undefined
    onSaved()
    if (done)
      notify({
        kind: 'success',
        text: fillTemplate(done, { ...params, ...reply }),
        ...(screen.undo && { action: { label: 'Undo', run: () => void undo(reply.undo) } }),
      })
  }
  return { send, isBusy: save.isPending, waiting: save.waiting }
}

/** Errors by row ID; those that belong to no row are under ALL. */
function byRow(
  validationErrors: Record<string, string[]>,
  chosen: Row[],
  { assignment }: AssignScreen,
): Map<unknown, string> {
  return new Map(
    Object.entries(validationErrors).map(([path, [words]]) => {
      const [list, at] = path.split('.')
      const row = list === assignment.list ? chosen[Number(at)] : undefined
      return [row?.id ?? ALL, words]
    }),
  )
}
