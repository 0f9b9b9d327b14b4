import { type ReactElement, useCallback } from 'react'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import type { Group } from '../../contract/generated.ts'
import { whyField } from '../../contract/meta/why.ts'
import type { ConditionContext } from '../../contract/when.ts'
import { useItemLabels } from '../../engine/core/useItemLabels.ts'
import { Disclosure } from '../controls/Disclosure.tsx'

interface Props {
  groups: Group[]
  /** Path of the field: its name, for a column after that of its repeat. */
  name: string
  label: string
  /** The field is never rendered. */
  isHidden: boolean
  /** Includes the sample answers. */
  conditionContext: ConditionContext
  /** Validation errors of its sample answer, once that was checked. */
  errors: string[]
}

/** Explains why the selected field is visible or not, required or not, or rejected, with the current sample answers. */
export function WhyNote(props: Props): ReactElement {
  const { groups, name, label, isHidden, conditionContext, errors } = props
  const why = whyField(groups, name, conditionContext)
  const facts = [
    !why.isVisible ? 'not shown' : isHidden ? 'hidden' : 'shown',
    why.isRequired && 'required',
    (errors.length > 0 || why.refused) && 'refused',
  ]
  return (
    <Disclosure
      className="constructor-note"
      open={!why.isVisible}
      summary={`Why? ${label} is ${facts.filter(Boolean).join(', ')} with these sample answers.`}
    >
      <Reasons {...props} />
    </Disclosure>
  )
}

function Reasons({ groups, name, conditionContext, errors }: Props) {
  const describe = useCallback(
    (itemLabel: ItemLabel) => whyField(groups, name, conditionContext, itemLabel),
    [groups, name, conditionContext],
  )
  const { visibleReasons, required, refused = [] } = useItemLabels(describe)
  return (
    <ul className="constructor-sentences">
      {[...visibleReasons, ...required, ...refused, ...errors].map((words) => (
        <li key={words}>{words}</li>
      ))}
    </ul>
  )
}
