import { useMemo, useState } from 'react'
import type { Automation, Deadline } from '../../contract/generated.ts'
import { isEqual } from '../../contract/isEqual.ts'
import type { Definitions } from '../forms/definitions.ts'
import type { EditorState } from '../state/useEditor.ts'
import { limitWords } from './impactWords.ts'
import { useImpact } from './useImpact.ts'

export type Counted = ReturnType<typeof useCounted>

/**
 * The numbers of records of automations and deadlines, as they were when last counted; those that were changed since
 * have none.
 */
export function useCounted({ history, base }: EditorState) {
  const { automations, deadlines } = history.draft
  const now = useMemo<Definitions>(() => ({ automations, deadlines }), [automations, deadlines])
  const [counted, setCounted] = useState(now)
  const isCounted = base.version > 0 && counted.automations.length + counted.deadlines.length > 0
  const { data, isFetching } = useImpact(base.id, counted, isCounted)
  const isKnown = (one: Automation) => counted.automations.some((other) => isSameCondition(one, other))
  const isKnownDeadline = (one: Deadline) => counted.deadlines.some((other) => isSameDeadline(one, other))
  const isStale = !automations.every(isKnown) || !deadlines.every(isKnownDeadline)
  return {
    /** The definitions at the time of the last count. */
    definitions: counted,
    ofAutomation: (one: Automation) =>
      isKnown(one) ? data?.automations.find(({ name }) => name === one.name) : undefined,
    ofDeadline: (one: Deadline) =>
      isKnownDeadline(one) ? data?.deadlines.find(({ name }) => name === one.name) : undefined,
    limit: data ? limitWords(data) : '',
    isCounting: isFetching,
    /** Undefined while nothing was changed since. */
    countAgain: isStale ? () => setCounted(now) : undefined,
  }
}

function isSameCondition(one: Automation, other: Automation): boolean {
  return (['name', 'of', 'when', 'while', 'is_on'] as const).every((key) => isEqual(one[key], other[key]))
}

function isSameDeadline({ label: _, ...one }: Deadline, { label: __, ...other }: Deadline): boolean {
  return isEqual(one, other)
}
