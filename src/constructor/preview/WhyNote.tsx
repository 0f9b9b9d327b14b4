import { type ReactElement, useCallback } from 'react'
import type { Group } from '../../contract/generated.ts'
import type { ItemLabel } from '../../contract/meta/describeAnswer.ts'
import { whyField } from '../../contract/meta/why.ts'
import type { ConditionContext } from '../../contract/when.ts'
import { useItemLabels } from '../../engine/itemLabels/useItemLabels.ts'
import { Disclosure } from '../Disclosure.tsx'

interface Props {
  groups: Group[]
  /** The field's path: its name, of a column with that of its repeat in front. */
  name: string
  label: string
  /** It is never drawn. */
  isHidden: boolean
  /** With the sample answers. */
  conditionContext: ConditionContext
  /** What is wrong with its sample answer, once that was checked. */
  errors: string[]
}

/** Why the chosen field is shown or hidden, asked or not, and refused, with the sample answers as they are. */
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
