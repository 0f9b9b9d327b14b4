import { Button } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import { verbOf } from '../../contract/automations/outcomes.ts'
import type { Automation, Deadline, NotifyOutcome, Outcome } from '../../contract/generated.ts'
import { useReceivers } from './receiverChoices.ts'
import { TagsSetting } from './TagsSetting.tsx'
import type { DefinitionEdits } from './useDefinitionEdits.ts'

type NotifyingState = 'soon' | 'late'

/** Labels of new automations that notify of a deadline. */
const LABELS: Record<NotifyingState, (label: string) => string> = {
  soon: (label) => `${label} is due soon`,
  late: (label) => `${label} is late`,
}

export interface NoticesProps {
  automations: Automation[]
  edits: DefinitionEdits<'automations'>
  onOpen: (automation: Automation) => void
  /** Selects the deadline explicitly. It may be open only by default, and adding an automation changes the default. */
  onStay: () => void
}

interface Props extends NoticesProps {
  deadline: Deadline
  state: NotifyingState
}

/**
 * Chooses who is notified when a deadline is soon or late. This is stored as an automation with that condition alone:
 * the first receiver adds it, and removing the last one removes it, unless it has other outcomes.
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

/**
 * The outcomes of an automation with other receivers in its first notice; without receivers, that notice is left out.
 */
function withReceivers({ then, label }: Automation, receivers: string[]): Outcome[] {
  const at = then.findIndex(isNotice)
  const notify = receivers as NotifyOutcome['notify']
  if (at < 0) return [...then, { notify, text: label }]
  if (receivers.length === 0) return then.toSpliced(at, 1)
  return then.with(at, { ...(then[at] as NotifyOutcome), notify })
}
