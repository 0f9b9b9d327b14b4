import type { Deadline } from '../generated.ts'
import type { DeadlineHistory, EndedPeriod, Period } from './evaluateDeadline.ts'

/**
 * State of a deadline on a day: none (nothing is due), due, soon (from its warning), late, met, excused, or missed (late
 * when it could no longer be met).
 */
export const DEADLINE_STATES = ['none', 'due', 'soon', 'late', 'met', 'excused', 'missed'] as const
export type DeadlineState = (typeof DEADLINE_STATES)[number]

export const STATE_WORDS: Record<DeadlineState, string> = {
  none: 'nothing due',
  due: 'in time',
  soon: 'due soon',
  late: 'late',
  met: 'met',
  excused: 'excused',
  missed: 'missed',
}

/**
 * The state of a deadline on a day. A paused deadline keeps the state of the day on which it was paused; it is none if
 * it ends before it was late.
 */
export function deadlineState(deadline: Period | EndedPeriod | undefined, today: string): DeadlineState {
  if (!deadline) return 'none'
  const { due, warnFrom, endsOn, pausedSince, metOn, excusedOn } = deadline as EndedPeriod
  if (metOn !== undefined) return 'met'
  if (excusedOn !== undefined) return 'excused'
  const clock = pausedSince !== undefined && pausedSince < today ? pausedSince : today
  if (endsOn !== undefined && today > endsOn) return clock > due ? 'missed' : 'none'
  if (clock > due) return 'late'
  return clock >= warnFrom ? 'soon' : 'due'
}

/**
 * The period that decides the state of a deadline: the current one, else, without `every`, the one that was met or
 * excused.
 */
export function presentPeriod(
  { every }: Deadline,
  { ended, current }: DeadlineHistory,
): Period | EndedPeriod | undefined {
  return current ?? (every ? undefined : ended.at(-1))
}
