import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { parametersOf } from '../../../contract/call.ts'
import type { Contract } from '../../../contract/contract.ts'
import type { Existing, WizardScreen } from '../../../contract/generated.ts'
import { isPlainObject, isSet, type Values } from '../../../contract/when.ts'
import { makeCall, readKey } from '../../core/calls.ts'
import { orLost } from '../../core/connection.ts'
import { useContract } from '../../core/contract.ts'
import { getAt } from '../../form/store/paths.ts'

/** Value of the certainty of a record that is the same beyond doubt. */
const CERTAIN = 'certain'
/** Least number of values by which duplicates are searched for. */
const MIN_VALUES = 2

/** The query for likely duplicates of a new record; undefined while too little is entered. */
export function duplicatesQuery(
  contract: Contract,
  { likely }: Existing,
  values: unknown,
): Values | undefined {
  if (!likely || !isPlainObject(values)) return undefined
  const names = Object.keys(parametersOf(contract, contract.endpoints[likely]))
  const query = Object.fromEntries(names.map((key) => [key, values[key]]).filter(([, v]) => isSet(v)))
  return Object.keys(query).length >= MIN_VALUES ? query : undefined
}

export function hasCertain({ certainty }: Existing, duplicates: Values[]): boolean {
  return duplicates.some((item) => certainty && item[certainty] === CERTAIN)
}

/** Asks why a record is new if an existing one is certainly the same. */
export function useNewness({ steps }: WizardScreen, latest: RefObject<{ document: Values; here: string }>) {
  const contract = useContract()
  const client = useQueryClient()
  const isBusy = useRef(false)
  const [isChecking, setChecking] = useState(false)
  const [reasonMissing, setReasonMissing] = useState<object>()
  const step = steps.find(({ existing }) => existing)
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])

  /** The likely duplicates for the entered values, from the cache if possible; none if they cannot be read. */
  const duplicatesOf = async (existing: Existing, query: Values): Promise<Values[]> => {
    const options = { query }
    const reply = client.fetchQuery({
      queryKey: readKey(existing.likely, options),
      queryFn: () => makeCall<Values[]>(contract, existing.likely!, { ...options, showsLoss: true }, client),
      retry: false,
    })
    return (await orLost(reply).catch(() => undefined)) ?? []
  }
  const needsReason = async (): Promise<boolean> => {
    const { existing, at = '' } = step ?? {}
    if (!existing?.because) return false
    const reasonAt = existing.because
    for (;;) {
      const values = getAt(latest.current.document, at)
      const query = duplicatesQuery(contract, existing, values)
      const duplicates = query ? await duplicatesOf(existing, query) : []
      // The values may have changed meanwhile: compare the new ones.
      if (getAt(latest.current.document, at) !== values) continue
      const reason = getAt(latest.current.document, reasonAt)
      return hasCertain(existing, duplicates) && !String(reason ?? '').trim()
    }
  }
  return {
    /** True while the request is pending that says whether a reason is needed. */
    isChecking,
    /** Set once somebody went on without a reason; another object each time. */
    reasonMissing,
    /**
     * True if the wizard must not go on: the reason is missing, and its field then asks for it; an earlier check is
     * still pending; or the person left the step meanwhile.
     */
    refuseWithoutReason: async (): Promise<boolean> => {
      if (isBusy.current) return true
      isBusy.current = true
      setChecking(true)
      const { here } = latest.current
      try {
        const isMissing = await needsReason()
        setReasonMissing(isMissing ? {} : undefined)
        return isMissing || !isMounted.current || latest.current.here !== here
      } finally {
        isBusy.current = false
        setChecking(false)
      }
    },
  }
}
