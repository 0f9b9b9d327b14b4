import { Button } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import { verbOf } from '../../contract/automations/outcomes.ts'
import type { Automation, Deadline, NotifyOutcome, Outcome } from '../../contract/generated.ts'
import { useReceivers } from './receiverChoices.ts'
import { TagsSetting } from './TagsSetting.tsx'
import type { DefinitionEdits } from './useDefinitionEdits.ts'

type NotifyingState = 'soon' | 'late'

/** How an automation that notifies of a deadline is called. */
const LABELS: Record<NotifyingState, (label: string) => string> = {
  soon: (label) => `${label} is due soon`,
  late: (label) => `${label} is late`,
}

export interface NoticesProps {
  automations: Automation[]
  edits: DefinitionEdits<'automations'>
  onOpen: (automation: Automation) => void
  /** Selects the deadline, which may only be shown because nothing is selected. */
  onStay: () => void
}

interface Props extends NoticesProps {
  deadline: Deadline
  state: NotifyingState
}

/**
 * Who is notified once a deadline is soon or late. An automation does it that looks at nothing else; the first receiver
 * adds it, and it goes with the last one unless more follows from it.
 */
export function DeadlineNotices({
  deadline,
  state,
  automations,
  edits,
  onOpen,
  onStay,
}: Props): ReactElement {
  const { choices } = useReceivers()
  const automation = automations.find((one) => isAbout(one, deadline, state))
  const notice = automation?.then.find(isNotice)
  const set = (notify: string[]) => {
    onStay()
    if (!automation) return edits.add(...automationOf(deadline, state, notify), { stays: true })
    const then = withReceivers(automation, notify)
    if (then.length === 0) edits.remove(automation, { stays: true })
    else edits.change({ ...automation, then: then as Automation['then'] }, 'Who is notified')
  }
  return (
    <div className="automation-inline automation-notices">
      <span>{state === 'soon' ? 'and notifies' : 'notifies'}</span>
      <TagsSetting
        label={state === 'soon' ? 'Who is notified when it is due soon' : 'Who is notified when it is late'}
        add="Add a receiver…"
        values={notice?.notify ?? []}
        choices={choices}
        onChange={set}
      />
      {automation ? (
        <Button
          size="small"
          variant="minimal"
          text="More…"
          aria-label={`Open the automation ${automation.label}`}
          onClick={() => onOpen(automation)}
        />
      ) : (
        state === 'late' && (
          <Button
            size="small"
            icon="plus"
            text="Say what happens when it is late"
            onClick={() => edits.add(...automationOf(deadline, state, ['line_manager']))}
          />
        )
      )}
    </div>
  )
}

/** Label and parts of a new automation that notifies of a deadline. */
function automationOf(
  { name, label, of }: Deadline,
  state: NotifyingState,
  notify: string[],
): [string, Partial<Automation>] {
  const text = LABELS[state](label)
  const then = [{ notify: notify as NotifyOutcome['notify'], text }] as Automation['then']
  return [text, { of, when: { [`deadline.${name}`]: state }, then }]
}

/** True for an automation in use that holds while a deadline has a state, and looks at nothing else. */
function isAbout({ of, when, is_on }: Automation, deadline: Deadline, state: NotifyingState): boolean {
  const path = `deadline.${deadline.name}`
  return is_on !== false && of === deadline.of && Object.keys(when).length === 1 && when[path] === state
}

function isNotice(outcome: Outcome): outcome is NotifyOutcome {
  return verbOf(outcome) === 'notify'
}

/** What follows from an automation with other receivers of its first notice; without any, the notice is left out. */
function withReceivers({ then, label }: Automation, receivers: string[]): Outcome[] {
  const at = then.findIndex(isNotice)
  const notify = receivers as NotifyOutcome['notify']
  if (at < 0) return [...then, { notify, text: label }]
  if (receivers.length === 0) return then.toSpliced(at, 1)
  return then.with(at, { ...(then[at] as NotifyOutcome), notify })
}
