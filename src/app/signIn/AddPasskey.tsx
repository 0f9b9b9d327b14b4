import { Button, InputGroup } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useContract } from '../../engine/core/contract.ts'
import { addPasskey, passkeyError } from './passkey.ts'
import { PROOF_TEXTS } from './proofTexts.ts'

/** Adds a passkey under a name; `onAdded` gets the recovery codes, if it is the person's first second factor. */
export function AddPasskey({ onAdded }: { onAdded: (codes: string[]) => void }) {
  const contract = useContract()
  const client = useQueryClient()
  const id = useId()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const name = input.current!.value.trim()
    if (!name) return fail(PROOF_TEXTS.emptyPasskeyName)
    setBusy(true)
    setError(undefined)
    try {
      const ceremony = { ask: 'passkeys.begin', send: 'passkeys.add', sendBody: { name } }
      const reply = await addPasskey<{ recovery_codes: string[] }>(contract, ceremony)
      for (const call of ['passkeys.mine', 'secondFactor.mine'])
        await client.invalidateQueries({ queryKey: ['call', call] })
      input.current!.value = ''
      setBusy(false)
      onAdded(reply.recovery_codes)
    } catch (reason) {
      fail(passkeyError(reason, 'name'))
    }
  }
  const fail = (text: string | undefined) => {
    setBusy(false)
    setError(text)
    input.current?.focus()
  }
  return (
    <form noValidate onSubmit={submit}>
      <h2>Add a passkey</h2>
      <p>
        A passkey is stored on this device, on your telephone or on a security key. You can also confirm with
        it that it is you.
      </p>
      <label htmlFor={id}>Name</label>
      <p id={`${id}-error`} className="field-error" role="alert">
        {error}
      </p>
      <InputGroup
        id={id}
        inputRef={input}
        maxLength={60}
        size="large"
        autoComplete="off"
        placeholder="Such as Work laptop"
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error && `${id}-error`}
      />
      <Button type="submit" text="Add a passkey" loading={busy} />
    </form>
  )
}
