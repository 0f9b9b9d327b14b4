import { useQuery } from '@tanstack/react-query'
import type { Automation } from '../../contract/generated.ts'
import { makeCall } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'

/** Numbers of records of one automation, as the reply to automations.impact has them. */
export interface Impact {
  name: string
  holds: number
  closed: number
  begins: number
  ends: number
  now: number
}
export interface Impacts {
  /** Number of cases, and of those that were evaluated. */
  cases: number
  counted: number
  automations: Impact[]
}

const HALF_A_MINUTE = 30_000

/** Counts for how many records automations would hold; `isCounted` is false where nothing is to be counted. */
export function useImpact(caseType: number, automations: Automation[], isCounted: boolean) {
  const contract = useContract()
  // Labels and texts change nothing in the numbers.
  const conditions = automations.map(({ label: _, then, ...one }) => one)
  return useQuery({
    queryKey: ['automation impact', caseType, conditions],
    queryFn: () =>
      makeCall<Impacts>(contract, 'automations.impact', { params: { id: caseType }, body: { automations } }),
    enabled: isCounted,
    staleTime: HALF_A_MINUTE,
    retry: false,
  })
}
