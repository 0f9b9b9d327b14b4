import { Button } from '@blueprintjs/core'
import { type ReactElement, useState } from 'react'
import { MAX_FORM_TESTS, recordFormTest } from '../../contract/caseType/formTests.ts'
import type { Calendars } from '../../contract/deadlines/calendars.ts'
import type { Automation, Deadline, FormTest, Group } from '../../contract/generated.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import type { Values } from '../../contract/when.ts'
import { formatDate } from '../../engine/core/dates.ts'
import { notify } from '../../engine/core/notices.ts'
import { dayOfTrial, factsOfTrial, type Trial } from '../state/trial.ts'
import type { EditTests } from '../state/useDraftHistory.ts'
import { NameDialog } from './NameDialog.tsx'
import { useTestDeps } from './useTestResults.ts'

interface Props {
  meta: MetaName
  groups: Group[]
  service: number
  automations: Automation[]
  deadlines: Deadline[]
  tests: FormTest[]
  calendars: Calendars | undefined
  /** What deadlines are tried with. */
  trial: Trial
  editTests: EditTests
  /** Returns the current sample answers. */
  given: () => Values
  /** Ids of the roles under which the sample is filled in, and their label. */
  roles: number[]
  roleLabel: string
}

/** Saves what the form does with the sample answers as a test. */
export function KeepTest(props: Props): ReactElement {
  const { meta, groups, service, automations, deadlines, tests, calendars, trial, editTests } = props
  const { given, roles, roleLabel } = props
  const deps = useTestDeps(service, { automations, deadlines }, calendars)
  const day = dayOfTrial(trial)
  const [isNaming, setNaming] = useState(false)
  const isFull = tests.length >= MAX_FORM_TESTS
  const ask = () => {
    if (isFull)
      notify({
        kind: 'error',
        text: `A case type has at most ${MAX_FORM_TESTS} tests: remove one before you keep another`,
      })
    else setNaming(true)
  }
  const keep = (name: string) => {
    const facts = factsOfTrial(trial)
    const filled = { name, meta, given: given(), ...(facts && { with: facts }), as: { roles, today: day } }
    const test = recordFormTest(groups, filled, deps)
    editTests(meta, (before) => [...before, test], 'Test kept')
    setNaming(false)
    notify({ kind: 'success', text: `“${name}” is a test now` })
  }
  return (
    <>
      <Button
        size="small"
        text="Keep this as a test"
        aria-disabled={isFull}
        aria-haspopup="dialog"
        onClick={ask}
      />
      {isNaming && (
        <NameDialog
          title="Keep this as a test"
          hint={`It checks that the form still does what it does now with these sample answers, as ${roleLabel} on ${formatDate(day)}.`}
          text="Keep"
          taken={tests.map(({ name }) => name)}
          onName={keep}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  )
}
