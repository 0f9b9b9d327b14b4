import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { type ReactElement, useId } from 'react'
import type { Option } from '../../contract/generated.ts'
import { MAX_LABEL_LENGTH } from '../../contract/meta/formLimits.ts'
import { Messages } from '../controls/Messages.tsx'

function withWeight({ weight: _, ...option }: Option, text: string): Option {
  return text === '' ? option : { ...option, weight: Number(text) }
}

interface Props {
  option: Option
  number: number
  /** Records have it as an answer, so it can be retired but not removed. */
  isStored: boolean
  messages: string[]
  onChange: (option: Option, what: string, typing?: boolean) => void
  onMove: (by: number) => void
  onRemove: () => void
  /** The choices, if the answers of this one can become another of them. */
  mergeable: Option[]
  onMerge: (into: Option) => void
}

/** One choice: its label, its position, and whether it is still offered. */
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
          maxLength={MAX_LABEL_LENGTH}
          autoComplete="off"
          title={`Stored as ${option.value}`}
          value={option.label}
          onValueChange={(label) => onChange({ ...option, label }, `Choice ${option.value}`, true)}
        />
        <InputGroup
          type="number"
          className="constructor-weight"
          aria-label={`Weight of ${name}`}
          placeholder="Weight"
          value={String(option.weight ?? '')}
          onValueChange={(text) => onChange(withWeight(option, text), `Weight of ${option.value}`, true)}
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
        <MergeInto name={name} {...props} />
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
      {option.hint && <p className="constructor-hint">{option.hint}</p>}
      {isRetired && (
        <p className="constructor-hint">No longer offered; records that have it still show it.</p>
      )}
      <Messages id={id} messages={messages} />
    </li>
  )
}

/** A menu of the other choices that the answers of a choice can become. */
function MergeInto({
  option,
  name,
  mergeable,
  onMerge,
}: Pick<Props, 'option' | 'mergeable' | 'onMerge'> & { name: string }) {
  const others = mergeable.filter(({ value }) => value !== option.value)
  if (others.length === 0) return null
  return (
    <HTMLSelect
      minimal
      aria-label={`Merge ${name} into another choice`}
      value=""
      onChange={({ currentTarget }) => {
        const into = others[Number(currentTarget.value)]
        if (currentTarget.value !== '' && into) onMerge(into)
      }}
    >
      <option value="">Merge…</option>
      {others.map(({ value, label }, i) => (
        <option key={value} value={i}>
          {label}
        </option>
      ))}
    </HTMLSelect>
  )
}
