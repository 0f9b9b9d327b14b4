import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { useParams } from 'react-router-dom'
import type { PublicFormScreen } from '../../../contract/generated.ts'
import { Busy } from '../../core/Busy.tsx'
import { useRead } from '../../core/calls.ts'
import { refusalText, statusOf } from '../../core/describeError.ts'
import { loadStyle } from '../../core/loadStyle.ts'
import { PublicPages } from './PublicPages.tsx'
import type { PublicFormData } from './pages.ts'
import { Sent, type SentReferral } from './Sent.tsx'

// This page is rendered outside of the shell, which otherwise loads the style sheet of forms.
await Promise.all([loadStyle('inside'), loadStyle('publicForm')])

/** A form for people who are not signed in. It stores nothing in the browser, which others may use after them. */
export default function PublicForm({ screen }: { screen: PublicFormScreen }) {
  const { data, error, isFetching, refetch } = useRead<PublicFormData>(screen.read, { params: useParams() })
  const readAgain = async () => (await refetch()).data ?? data!
  const [sent, setSent] = useState<SentReferral>()
  return (
    <main className="public">
      {sent ? (
        <Sent screen={screen} sent={sent} />
      ) : data ? (
        <PublicPages screen={screen} form={data} onSent={setSent} readAgain={readAgain} />
      ) : error ? (
        <>
          <h1 className="heading">This form cannot be opened</h1>
          <p role="alert">{refusalText(error)}</p>
          {statusOf(error) === 404 ? (
            <p>The person who gave you this address can tell you how to reach us.</p>
          ) : (
            <Button text="Try again" loading={isFetching} onClick={() => void refetch()} />
          )}
        </>
      ) : (
        <Busy />
      )}
    </main>
  )
}
