import type { Existing } from '../../../contract/generated.ts'
import type { Values } from '../../../contract/when.ts'
import { useSend } from '../../core/calls.ts'
import { notify } from '../../core/notices.ts'

/** Asks somebody else about a record that the person may not open, by the values of the new one. */
export function useAsk({ ask = '', name = [], details = [] }: Existing) {
  const { mutate, isPending } = useSend<Values>(ask)
  const send = (id: unknown, values: Values) => {
    const body = Object.fromEntries([...name, details[0]].map((key) => [key, values[key]]))
    const onSuccess = () =>
      notify({ kind: 'success', text: 'Your question is sent: the answer comes to your bell' })
    mutate({ params: { id }, body }, { onSuccess })
  }
  return { ask: ask ? send : undefined, isAsking: isPending }
}
