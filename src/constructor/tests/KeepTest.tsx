import { Button } from '@blueprintjs/core'
import { type ReactElement, useState } from 'react'
import { MOST_FORM_TESTS, recordFormTest } from '../../contract/caseType/formTests.ts'
import type { Automation, FormTest, Group } from '../../contract/generated.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import type { Values } from '../../contract/when.ts'
import { formatDate } from '../../engine/core/dates.ts'
import { notify } from '../../engine/core/notices.ts'
import { today } from '../../engine/core/today.ts'
import type { EditTests } from '../state/useDraftHistory.ts'
import { NameDialog } from './NameDialog.tsx'
import { useTestDeps } from './useTestResults.ts'

interface Props {
  meta: MetaName
  groups: Group[]
  service: number
  automations: Automation[]
  tests: FormTest[]
  editTests: EditTests
  /** Returns the current sample answers. */
  given: () => Values
  /** Ids of the roles under which the sample is filled in, and their label. */
  roles: number[]
  roleLabel: string
}

/** Saves what the form does with the sample answers as a test. */
export function KeepTest(props: Props): ReactElement {
  const { meta, groups, service, automations, tests, editTests, given, roles, roleLabel } = props
  const deps = useTestDeps(service, automations)
  const [isNaming, setNaming] = useState(false)
  const isFull = tests.length >= MOST_FORM_TESTS
  const ask = () => {
    if (isFull)
      notify({
        kind: 'error',
        text: `A case type has at most ${MOST_FORM_TESTS} tests: remove one before you keep another`,
      })
    else setNaming(true)
  }
  const keep = (name: string) => {
    const as = { roles, today: today() }
    const test = recordFormTest(groups, { name, meta, given: given(), as }, deps)
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
          hint={`It holds the form to what it does now with these sample answers, as ${roleLabel} on ${formatDate(today())}.`}
          text="Keep"
          taken={tests.map(({ name }) => name)}
          onName={keep}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  )
}
