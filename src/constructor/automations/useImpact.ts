import { useQuery } from '@tanstack/react-query'
import { makeCall } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import type { Definitions } from '../forms/definitions.ts'

/** Numbers of records of one automation, as the reply to automations.impact has them. */
export interface Impact {
  name: string
  holds: number
  closed: number
  begins: number
  ends: number
  now: number
}

/**
 * Numbers of records of one deadline: those that have it open, soon or late if it were published now, and those whose
 * present deadline changes.
 */
export interface DeadlineImpact {
  name: string
  open: number
  soon: number
  late: number
  added: number
  earlier: number
  later: number
  gone: number
  met: number
  turnsLate: number
  /** Number of records with at least one of these changes. */
  moved: number
}
export interface Impacts {
  /** Number of cases, and of those that were evaluated. */
  cases: number
  counted: number
  automations: Impact[]
  deadlines: DeadlineImpact[]
}

const HALF_A_MINUTE = 30_000

/**
 * Counts for how many records automations would hold and what would become of their deadlines; `isCounted` is false where
 * nothing is to be counted.
 */
export function useImpact(caseType: number, { automations, deadlines }: Definitions, isCounted: boolean) {
  const contract = useContract()
  // Leave out labels and texts, which the numbers do not depend on.
  const conditions = automations.map(({ label: _, then, ...one }) => one)
  const rules = deadlines.map(({ label: _, ...one }) => one)
  return useQuery({
    queryKey: ['automation impact', caseType, conditions, rules],
    queryFn: () =>
      makeCall<Impacts>(contract, 'automations.impact', {
        params: { id: caseType },
        body: { automations, deadlines },
      }),
    enabled: isCounted,
    staleTime: HALF_A_MINUTE,
    retry: false,
  })
}
