import { Button } from '@blueprintjs/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { editableFields } from '../contract/entity.ts'
import { Busy } from '../engine/core/Busy.tsx'
import { makeCall } from '../engine/core/calls.ts'
import { useContract } from '../engine/core/contract.ts'
import { formatDate } from '../engine/core/dates.ts'
import { refusalText, statusOf, unsentText } from '../engine/core/describeError.ts'
import { fieldErrors } from '../engine/core/fieldErrors.ts'
import { newIdempotencyKey } from '../engine/core/idempotencyKey.ts'
import { loadStyle } from '../engine/core/loadStyle.ts'
import { type FormHandle, type FormSection, FormView } from '../engine/form/FormView.tsx'

// This page is rendered outside of the shell, which otherwise loads the style sheet of forms.
await Promise.all([loadStyle('inside'), loadStyle('publicForm')])

interface Status {
  reference: string
  status: number
  sent_on: string
  decided_on: string | null
  decision_text: string | null
  expires_on: string | null
  may_answer: boolean
  messages: { is_own: boolean; text: string; sent_on: string }[]
}

/**
 * The status of a referral, for anybody with its link. The secret is in the URL fragment and sent only in a request
 * body, so that no log contains it; it stays in the URL, so that the page can be reloaded.
 */
export default function ReferralStatus() {
  const contract = useContract()
  const queries = useQueryClient()
  const secret = useLocation().hash.slice(1)
  const queryKey = ['referral-status', secret]
  const { data, error, isFetching, refetch } = useQuery<Status>({
    queryKey,
    queryFn: () => makeCall<Status>(contract, 'publicReferrals.status', { body: { secret } }),
    enabled: secret !== '',
    retry: false,
  })
  return (
    <main className="public">
      <h1 className="heading">Status of your referral</h1>
      {data ? (
        <StatusDetails
          status={data}
          secret={secret}
          onChange={(now) => queries.setQueryData(queryKey, now)}
        />
      ) : error || !secret ? (
        <>
          <p role="alert">
            {error ? refusalText(error) : 'This link is incomplete. Open the whole link, as you received it.'}
          </p>
          {error && statusOf(error) !== 404 && (
            <Button text="Try again" loading={isFetching} onClick={() => void refetch()} />
          )}
        </>
      ) : (
        <Busy />
      )}
    </main>
  )
}

interface StatusProps {
  status: Status
  secret: string
  onChange: (now: Status) => void
}

function StatusDetails({ status: data, secret, onChange }: StatusProps) {
  const { entities } = useContract()
  const { options = [] } = entities.publicReferralStatus.properties.status
  const state = options.find(({ value }) => value === data.status)?.label
  return (
    <>
      <p className="public-state" role="status">
        <strong>{state}</strong>
      </p>
      <dl className="read-list">
        <Fact label="Reference" value={data.reference} />
        <Fact label="Sent" value={formatDate(data.sent_on)} />
        {data.decided_on && <Fact label="Decided" value={formatDate(data.decided_on)} />}
        {data.expires_on && <Fact label="This page works until" value={formatDate(data.expires_on)} />}
      </dl>
      {data.decision_text && (
        <section>
          <h2>Our decision</h2>
          <p className="public-text">{data.decision_text}</p>
        </section>
      )}
      {data.messages.length > 0 && <Messages messages={data.messages} />}
      {data.may_answer && <Answer key={data.messages.length} secret={secret} onSent={onChange} />}
    </>
  )
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div className="read-item">
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function Messages({ messages }: Pick<Status, 'messages'>) {
  return (
    <section>
      <h2>Messages</h2>
      <ol className="public-messages">
        {messages.map(({ is_own, text, sent_on }, i) => (
          <li key={`${i} ${text}`}>
            <h3>
              {is_own ? 'You' : 'We'} wrote on {formatDate(sent_on)}
            </h3>
            <p className="public-text">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The form to answer our question. */
function Answer({ secret, onSent }: { secret: string; onSent: (now: Status) => void }) {
  const contract = useContract()
  const form = useRef<FormHandle>(null)
  const [key] = useState(newIdempotencyKey)
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState<string>()
  const sections = useMemo<FormSection[]>(() => {
    const fields = editableFields(contract.bodies.publicAnswer).filter(({ name }) => name === 'text')
    return [{ key: 'answer', at: '', groups: [{ name: 'answer', label: 'Answer our question', fields }] }]
  }, [contract])
  useUnsentWarning(form)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || Object.keys(form.current!.submit()).length > 0) return
    setBusy(true)
    setMessage(undefined)
    try {
      const body = { secret, text: form.current!.document().text }
      onSent(await makeCall<Status>(contract, 'publicReferrals.answer', { body, key }))
    } catch (error) {
      const errors = fieldErrors(error)
      if (errors) form.current?.showErrors(errors)
      else setMessage(`${unsentText(error)} Your answer is still here.`)
      setBusy(false)
    }
  }
  return (
    <form noValidate onSubmit={send}>
      <FormView ref={form} sections={sections} initial={NOTHING} conditionContext={NOTHING} />
      {message && (
        <p className="note" role="alert">
          {message}
        </p>
      )}
      <div className="public-bar">
        <Button
          type="submit"
          intent="primary"
          size="large"
          text="Send answer"
          loading={isBusy}
          aria-busy={isBusy}
        />
      </div>
    </form>
  )
}

const NOTHING = {}

/** Warns before the page is closed with an unsent answer. */
function useUnsentWarning(form: React.RefObject<FormHandle | null>) {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (form.current?.isDirty()) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [form])
}
