import { Button, InputGroup } from '@blueprintjs/core'
import { isAxiosError } from 'axios'
import { type FormEvent, useRef, useState } from 'react'
import { useParams } from 'react-router-dom'
import { hintOf, ruleError } from '../../contract/rules.ts'
import { useContract } from '../../engine/runtime/contract.ts'
import { Password } from './Password.tsx'
import { signIn } from './session.ts'

type Errors = Record<string, string[] | undefined>

const FIELDS = [
  { name: 'username', label: 'User name', autoComplete: 'username', maxLength: 150 },
  { name: 'first_name', label: 'First name', autoComplete: 'given-name', maxLength: 100 },
  { name: 'last_name', label: 'Last name', autoComplete: 'family-name', maxLength: 100 },
]

/** Makes the first administrator of an empty database; the token in the address works once. */
export default function Setup() {
  const contract = useContract()
  const { token } = useParams()
  const [errors, setErrors] = useState<Errors>({})
  const [busy, setBusy] = useState(false)
  const password = useRef<HTMLInputElement>(null)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const form = event.currentTarget
    const values = Object.fromEntries(FIELDS.map(({ name }) => [name, textOf(form, name).trim()]))
    const body = { ...values, token, password: password.current!.value }
    const found = problemsOf(body)
    setErrors(found)
    const [first] = Object.keys(found)
    if (first) return inputOf(form, first)?.focus()
    setBusy(true)
    try {
      await signIn(contract, 'auth.setup', body)
    } catch (error) {
      setBusy(false)
      if (isAxiosError(error) && error.response?.status === 400) setErrors(error.response.data)
    }
  }
  const describe = (name: string) => (errors[name] ? `${name}-error` : undefined)

  return (
    <main className="front">
      <h1>Set up</h1>
      <p>You become the first administrator.</p>
      <form noValidate onSubmit={submit}>
        {FIELDS.map(({ name, label, ...rest }) => (
          <div key={name}>
            <label htmlFor={name}>{label}</label>
            <FieldError id={`${name}-error`} words={errors[name]} />
            <InputGroup id={name} name={name} size="large" aria-describedby={describe(name)} {...rest} />
          </div>
        ))}
        <label htmlFor="password">Password</label>
        <p className="hint">{hintOf(['new_password'])}</p>
        <FieldError id="password-error" words={errors.password} />
        <Password
          id="password"
          inputRef={password}
          autoComplete="new-password"
          describedBy={describe('password')}
        />
        <Button type="submit" intent="primary" size="large" fill text="Set up" loading={busy} />
      </form>
    </main>
  )
}

function FieldError({ id, words }: { id: string; words?: string[] }) {
  return words ? (
    <p id={id} className="field-error" role="alert">
      {words.join(' ')}
    </p>
  ) : null
}

const inputOf = (form: HTMLFormElement, name: string) =>
  form.elements.namedItem(name) as HTMLInputElement | null
const textOf = (form: HTMLFormElement, name: string) => inputOf(form, name)?.value ?? ''

function problemsOf(body: Record<string, string | undefined>): Errors {
  const empty = FIELDS.filter(({ name }) => !body[name]).map(({ name, label }) => [
    name,
    [`${label} is needed.`],
  ])
  const short = ruleError('new_password', body.password, { answers: {}, today: '' })
  return Object.fromEntries([...empty, ...(short ? [['password', [`Password ${short}.`]]] : [])])
}
