import type { ReactElement } from 'react'
import { whyField } from '../contract/meta/why.ts'
import type { Group } from '../contract/types.ts'
import type { Scope } from '../contract/when.ts'

interface Props {
  groups: Group[]
  /** The field's path: its name, of a column with that of its repeat in front. */
  name: string
  label: string
  /** With the sample answers. */
  scope: Scope
  /** What is wrong with its sample answer, once that was checked. */
  refused: string[]
}

/** Why the chosen field is shown or hidden, asked or not, and refused, with the sample answers as they are. */
export function WhyNote({ groups, name, label, scope, refused }: Props): ReactElement {
  const why = whyField(groups, name, scope)
  const facts = [
    why.isShown ? 'shown' : 'not shown',
    why.isRequired && 'required',
    refused.length > 0 && 'refused',
  ]
  return (
    <details className="constructor-note" open={!why.isShown}>
      <summary>
        Why? {label} is {facts.filter(Boolean).join(', ')} with these sample answers.
      </summary>
      <ul className="constructor-sentences">
        {[...why.shown, ...why.required, ...refused].map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    </details>
  )
}
