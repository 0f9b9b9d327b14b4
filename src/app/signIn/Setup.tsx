import { Button, InputGroup } from '@blueprintjs/core'
import { type FormEvent, useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { hintOf, ruleError } from '../../contract/rules.ts'
import type { FieldErrors } from '../../contract/validateAnswers.ts'
import { useContract } from '../../engine/core/contract.ts'
import { fieldErrors } from '../../engine/core/fieldErrors.ts'
import { loadable } from '../../engine/core/loadable.tsx'
import { withStyle } from '../../engine/core/loadStyle.ts'
import Strength from '../../engine/form/widgets/Strength.tsx'
import { type SignInStep, signIn } from '../core/session.ts'
import { Password } from './Password.tsx'
import { refusalOf } from './refusal.ts'

const SecondStep = loadable(() => withStyle('proof', import('./SecondStep.tsx')))

const FIELDS = [
  { name: 'username', label: 'User name', autoComplete: 'username', maxLength: 150 },
  { name: 'first_name', label: 'First name', autoComplete: 'given-name', maxLength: 100 },
  { name: 'last_name', label: 'Last name', autoComplete: 'family-name', maxLength: 100 },
]

/** Creates the first administrator of an empty database; the token in the address works once. */
export default function Setup() {
  const contract = useContract()
  const { token } = useParams()
  const navigate = useNavigate()
  const [errors, setErrors] = useState<FieldErrors>({})
  const [message, setMessage] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [step, setStep] = useState<SignInStep>()

  const fail = (form: HTMLFormElement, errors: FieldErrors, message?: string) => {
    setErrors(errors)
    setMessage(message)
    const names = [...FIELDS.map(({ name }) => name), 'password']
    inputOf(form, names.find((name) => errors[name]) ?? names[0])?.focus()
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const form = event.currentTarget
    const values = Object.fromEntries(FIELDS.map(({ name }) => [name, textOf(form, name).trim()]))
    const body = { ...values, token, password: textOf(form, 'password') }
    const validationErrors = validationErrorsOf(body)
    if (Object.keys(validationErrors).length > 0) return fail(form, validationErrors)
    setBusy(true)
    try {
      setStep(await signIn(contract, 'auth.setup', body))
    } catch (reason) {
      setBusy(false)
      fail(form, fieldErrors(reason) ?? {}, refusalOf(reason)?.message)
    }
  }
  const errorId = (name: string) => (errors[name] ? `${name}-error` : undefined)

  if (step)
    return (
      <main className="front">
        <h1>Set up</h1>
        <SecondStep step={step} onCancel={() => navigate('/login')} />
      </main>
    )
  return (
    <main className="front">
      <h1>Set up</h1>
      <p>You become the first administrator.</p>
      <form noValidate onSubmit={submit}>
        <p className="field-error" role="alert">
          {message}
        </p>
        {FIELDS.map(({ name, label, ...rest }) => (
          <div key={name}>
            <label htmlFor={name}>{label}</label>
            <FieldError id={`${name}-error`} words={errors[name]} />
            <InputGroup
              id={name}
              name={name}
              size="large"
              aria-invalid={errors[name] ? true : undefined}
              aria-describedby={errorId(name)}
              {...rest}
            />
          </div>
        ))}
        <label htmlFor="password">Password</label>
        <p id="password-hint" className="hint">
          {hintOf(['new_password'])}
        </p>
        <FieldError id="password-error" words={errors.password} />
        <Password
          id="password"
          autoComplete="new-password"
          isWrong={errors.password !== undefined}
          describedBy={['password-hint', errorId('password')].filter(Boolean).join(' ')}
        />
        <Strength input="password" />
        <Button
          type="submit"
          intent="primary"
          size="large"
          fill
          text="Set up"
          loading={busy}
          aria-busy={busy}
        />
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

function validationErrorsOf(body: Record<string, string | undefined>): FieldErrors {
  const empty = FIELDS.filter(({ name }) => !body[name]).map(({ name, label }) => [
    name,
    [`${label} is needed.`],
  ])
  const short = ruleError('new_password', body.password, { answers: {}, today: '' })
  return Object.fromEntries([...empty, ...(short ? [['password', [`Password ${short}.`]]] : [])])
}
