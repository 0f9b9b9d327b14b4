import { Button, Switch } from '@blueprintjs/core'
import type { ReactElement, ReactNode } from 'react'
import type { Definition, DefinitionList } from '../forms/definitions.ts'
import type { DefinitionEdits } from './useDefinitionEdits.ts'

interface Props<L extends DefinitionList> {
  definition: Definition<L>
  edits: DefinitionEdits<L>
  children: ReactNode
}

/** The heading of an automation or a deadline with its switch, its sentence, and what can be done with it. */
export function DefinitionFrame<L extends DefinitionList>(props: Props<L>): ReactElement {
  const { definition, edits, children } = props
  const { name, label, is_on } = definition
  const { is_on: _, ...on } = definition
  const isOn = is_on !== false
  return (
    <>
      <div className="automation-heading">
        <h2>{label.trim() || name}</h2>
        <Switch
          label={isOn ? 'On' : 'Off'}
          checked={isOn}
          onChange={() =>
            isOn
              ? edits.change({ ...definition, is_on: false }, 'Switched off')
              : edits.change(on as Definition<L>, 'Switched on')
          }
        />
      </div>
      {children}
      <div className="automation-actions">
        <Button
          icon="arrow-up"
          variant="outlined"
          text="Move up"
          onClick={() => edits.move(definition, -1)}
        />
        <Button
          icon="arrow-down"
          variant="outlined"
          text="Move down"
          onClick={() => edits.move(definition, 1)}
        />
        <Button icon="duplicate" variant="outlined" text="Copy" onClick={() => edits.copy(definition)} />
        <Button
          icon="trash"
          intent="danger"
          variant="outlined"
          text="Remove"
          onClick={() => edits.remove(definition)}
        />
      </div>
    </>
  )
}
