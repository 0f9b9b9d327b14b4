import { Button, InputGroup } from '@blueprintjs/core'
import { type ReactElement, useId } from 'react'
import type { Option } from '../../contract/generated.ts'
import { Messages } from './Messages.tsx'

interface Props {
  option: Option
  number: number
  /** Records hold it, so it can be retired but not removed. */
  isStored: boolean
  messages: string[]
  onChange: (option: Option, what: string, typing?: boolean) => void
  onMove: (by: number) => void
  onRemove: () => void
}

/** One choice: its words, its place, and whether it is still offered. */
export function OptionRow(props: Props): ReactElement {
  const { option, number, isStored, messages, onChange, onMove, onRemove } = props
  const id = useId()
  const { active, ...bare } = option
  const isRetired = active === false
  const name = option.label.trim() || `choice ${number}`
  return (
    <li data-retired={isRetired || undefined}>
      <div className="constructor-option">
        <InputGroup
          aria-label={`Choice ${number}`}
          aria-describedby={messages.length > 0 ? id : undefined}
          maxLength={300}
          autoComplete="off"
          title={`Stored as ${option.value}`}
          value={option.label}
          onValueChange={(label) => onChange({ ...option, label }, `Choice ${option.value}`, true)}
        />
        <Button
          variant="minimal"
          size="small"
          icon="arrow-up"
          aria-label={`Move ${name} up`}
          onClick={() => onMove(-1)}
        />
        <Button
          variant="minimal"
          size="small"
          icon="arrow-down"
          aria-label={`Move ${name} down`}
          onClick={() => onMove(1)}
        />
        {isRetired ? (
          <Button
            size="small"
            text="Use again"
            aria-label={`Use ${name} again`}
            onClick={() => onChange(bare, 'Choice used again')}
          />
        ) : (
          <Button
            size="small"
            text="Retire"
            aria-label={`Retire ${name}`}
            onClick={() => onChange({ ...option, active: false }, 'Choice retired')}
          />
        )}
        {!isStored && (
          <Button
            variant="minimal"
            size="small"
            icon="trash"
            aria-label={`Remove ${name}`}
            onClick={onRemove}
          />
        )}
      </div>
      {isRetired && <p className="constructor-hint">Not offered any more; kept where it is stored.</p>}
      <Messages id={id} messages={messages} />
    </li>
  )
}
