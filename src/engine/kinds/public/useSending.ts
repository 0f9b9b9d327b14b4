import { useRef, useState } from 'react'
import type { PublicFormScreen } from '../../../contract/generated.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import type { Values } from '../../../contract/when.ts'
import { useSend } from '../../core/calls.ts'
import { unsentText } from '../../core/describeError.ts'
import { fieldErrors } from '../../core/fieldErrors.ts'
import { newIdempotencyKey } from '../../core/idempotencyKey.ts'
import type { SentReferral } from './Sent.tsx'

export interface Sending {
  send: () => void
  isBusy: boolean
  /** Error text if it was not sent. */
  message: string | undefined
}

interface Options {
  body: () => Values
  onSent: (sent: SentReferral) => void
  /** Shows validation errors; `isBusy` until it resolves. */
  onRefused: (errors: FieldErrors) => Promise<void>
}

/** Sends the form by one call with an idempotency key, so that a repeat is not saved twice. */
export function useSending({ save }: PublicFormScreen, { body, onSent, onRefused }: Options): Sending {
  const { mutateAsync } = useSend<SentReferral>(save)
  const [key] = useState(newIdempotencyKey)
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState<string>()
  const isSending = useRef(false)
  const send = async () => {
    if (isSending.current) return
    isSending.current = true
    setBusy(true)
    setMessage(undefined)
    try {
      onSent(await mutateAsync({ body: body(), key }))
    } catch (error) {
      const errors = fieldErrors(error)
      if (errors) await onRefused(errors)
      else setMessage(`${unsentText(error)} Your answers are still here.`)
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }
  return { send: () => void send(), isBusy, message }
}
