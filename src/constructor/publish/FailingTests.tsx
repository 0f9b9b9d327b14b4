import { TextArea } from '@blueprintjs/core'
import { type ReactElement, type Ref, useId } from 'react'
import type { FormTestDeps } from '../../contract/caseType/formTests.ts'
import type { FormTestResult } from '../../contract/caseType/runFormTest.ts'
import { Messages } from '../controls/Messages.tsx'
import type { Draft } from '../state/caseType.ts'
import { Failures } from '../tests/TestEntry.tsx'

interface Props {
  failing: FormTestResult[]
  draft: Draft
  deps: FormTestDeps
  inputRef: Ref<HTMLTextAreaElement>
  reason: string
  onReason: (reason: string) => void
  /** Validation messages of the reason. */
  messages: string[]
}

/** The tests that fail before a publication, and the reason for publishing anyway. */
export function FailingTests(props: Props): ReactElement {
  const { failing, draft, deps, inputRef, reason, onReason, messages } = props
  const id = useId()
  return (
    <>
      <h3>Tests that fail</h3>
      <ul className="constructor-sentences">
        {failing.map(({ test }) => (
          <li key={test.name}>
            <strong>{test.name}</strong>
            <Failures test={test} groups={draft[test.meta]} deps={deps} />
          </li>
        ))}
      </ul>
      <label htmlFor={id}>Why publish although {failing.length === 1 ? 'a test fails' : 'tests fail'}</label>
      <p className="constructor-hint" id={`${id}-hint`}>
        Appears in the history of the case type and in the audit. Or cancel, and change the form or update the
        test.
      </p>
      <TextArea
        id={id}
        inputRef={inputRef}
        fill
        maxLength={500}
        aria-describedby={messages.length > 0 ? `${id}-hint ${id}-error` : `${id}-hint`}
        aria-invalid={messages.length > 0}
        value={reason}
        onChange={(event) => onReason(event.target.value)}
      />
      <Messages id={`${id}-error`} messages={messages} />
    </>
  )
}
