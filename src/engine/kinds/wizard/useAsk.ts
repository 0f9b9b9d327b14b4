import type { Existing } from '../../../contract/generated.ts'
import type { Values } from '../../../contract/when.ts'
import { useSend } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { notify } from '../../core/notices.ts'

/** Asks somebody else about a record that the person may not open, by the values of the new one. */
export function useAsk({ ask = '' }: Existing) {
  const { endpoints, bodies } = useContract()
  const { mutate, isPending } = useSend<Values>(ask)
  const send = (id: unknown, values: Values) => {
    const { properties } = bodies[endpoints[ask].body!]
    const body = Object.fromEntries(Object.keys(properties).map((key) => [key, values[key]]))
    const onSuccess = () =>
      notify({ kind: 'success', text: 'Your question is sent. The answer will be in your notifications' })
    mutate({ params: { id }, body }, { onSuccess })
  }
  return { ask: ask ? send : undefined, isAsking: isPending }
}
