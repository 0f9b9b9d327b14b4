import { useCallback, useEffect, useRef, useState } from 'react'
import { type Held, heldOf } from '../core/held.ts'

/** A hold that the person may pass with a reason; `answer` gets true once the person has passed it, false if they cancelled. */
export interface HoldToPass extends Held {
  answer: (isPassed: boolean) => void
}

/**
 * Makes calls that automations may hold. If the person may pass the hold, render `holdToPass`; the call is repeated
 * once they have passed it. A call that stays held rejects with its error.
 */
export function usePassHolds() {
  const [holdToPass, setHoldToPass] = useState<HoldToPass>()
  const pending = useRef<HoldToPass>(undefined)
  useEffect(() => () => pending.current?.answer(false), [])

  const ask = useCallback(
    (hold: Held) =>
      new Promise<boolean>((resolve) => {
        const answer = (isPassed: boolean) => {
          pending.current = undefined
          setHoldToPass(undefined)
          resolve(isPassed)
        }
        pending.current = { ...hold, answer }
        setHoldToPass(pending.current)
      }),
    [],
  )

  const withPasses = useCallback(
    async <T>(attempt: () => Promise<T>): Promise<T> => {
      for (;;) {
        try {
          return await attempt()
        } catch (error) {
          const held = heldOf(error)
          if (!held?.may_pass) throw error
          // The dialog has shown the hold, so there is no notice of it.
          if (!(await ask(held))) throw Object.assign(error as Error, { isNotified: true })
        }
      }
    },
    [ask],
  )
  return { holdToPass, withPasses }
}
