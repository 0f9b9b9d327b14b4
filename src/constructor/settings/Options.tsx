import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { type ReactElement, useId, useMemo, useState } from 'react'
import { newFieldName } from '../../contract/fieldName.ts'
import type { Field, Option } from '../../contract/generated.ts'
import { LONGEST_LABEL, MOST } from '../../contract/meta/formLimits.ts'
import { loadable } from '../../engine/core/loadable.tsx'
import { LimitNote } from '../controls/LimitNote.tsx'
import { Messages } from '../controls/Messages.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'
import { type Address, fieldAt, seek } from '../state/address.ts'
import { type SetAttrs, useEditorContext } from '../state/editorContext.ts'
import { messagesAt } from '../state/editorErrors.ts'
import { canTake, mergeChoice, sourceOf } from '../state/takeAnswers.ts'
import { sameChoices } from './sameChoices.ts'

const OptionsTable = loadable(() => import('./OptionsTable.tsx'))
const WeightsTable = loadable(() => import('./WeightsTable.tsx'))

/** Editor of a field's own choices: labels, order, and whether they are retired. Stored values never change. */
export function Options({
  field,
  address,
  set,
}: {
  field: Field
  address: Address
  set: SetAttrs
}): ReactElement {
  const editorContext = useEditorContext()
  const { announce, before, errors, groups } = editorContext
  const [label, setLabel] = useState('')
  const [full, setFull] = useState<string[]>([])
  const [isTableOpen, setTableOpen] = useState(false)
  const [isWeighing, setWeighing] = useState(false)
  const heading = useId()
  const options = field.attrs?.options ?? []
  const save = (next: Option[], what: string, typing?: boolean) => set({ options: next }, { what, typing })
  const alike = useMemo(() => sameChoices(groups, address), [groups, address])
  const published = fieldAt(before, seek(before, address) ?? [])?.attrs?.options ?? []
  const isStored = (option: Option) =>
    editorContext.chosen(address, option.value) > 0 && published.some((one) => one.value === option.value)

  const add = (labels: string[]) => {
    const next = labels.reduce(withOption, options)
    if (next.length === options.length) return
    if (next.length > MOST.choices) {
      const words = `'${field.label}' may have ${MOST.choices} choices, and these would be ${next.length}; use a list instead`
      setFull([words])
      return announce(words)
    }
    setFull([])
    save(next, 'Choice added')
    announce(next.length === options.length + 1 ? `${next.at(-1)!.label} added` : 'Choices added')
    setLabel('')
  }
  const move = (at: number, by: number) => {
    const option = options[at]
    if (!options[at + by]) return announce(`${option.label} is already at the ${by < 0 ? 'top' : 'bottom'}`)
    save(options.toSpliced(at, 1).toSpliced(at + by, 0, option), 'Choice moved')
    announce(`${option.label} moved to place ${at + by + 1} of ${options.length}`)
  }
  const source = canTake(editorContext, field, address) ? sourceOf(field, before) : undefined
  const merge = (from: Option, into: Option) => {
    const { meta, editDraft } = editorContext
    editDraft((draft) => mergeChoice(draft, { meta, before }, address, from, into), {
      what: 'Choices merged',
      at: address,
    })
    announce(`${from.label} merged into ${into.label}`)
  }
  return (
    <div className="constructor-setting">
      <p id={heading} className="constructor-fixed">
        <strong>Choices</strong>
      </p>
      <ol className="constructor-options" aria-labelledby={heading}>
        {options.map((option, i) => (
          <OptionRow
            key={`${typeof option.value} ${option.value}`}
            option={option}
            number={i + 1}
            isStored={isStored(option)}
            messages={messagesAt(errors, address, `attrs.options.${i}`)}
            onChange={(next, what, typing) => save(options.with(i, next), what, typing)}
            onMove={(by) => move(i, by)}
            onRemove={() => save(options.toSpliced(i, 1), 'Choice removed')}
            mergeable={source?.attrs?.options?.some(({ value }) => value === option.value) ? options : []}
            onMerge={(into) => merge(option, into)}
          />
        ))}
      </ol>
      <LimitNote what="choices" count={options.length} />
      <Button icon="th" text="Edit as a table" aria-haspopup="dialog" onClick={() => setTableOpen(true)} />
      {alike.length > 1 && (
        <Button
          icon="numerical"
          text={`Weights of all ${alike.length} questions with these choices`}
          aria-haspopup="dialog"
          onClick={() => setWeighing(true)}
        />
      )}
      {isWeighing && <WeightsTable addresses={alike} onClose={() => setWeighing(false)} />}
      {isTableOpen && (
        <OptionsTable
          {...{ field, isStored, announce }}
          onDone={(next) => {
            save(next, 'Choices')
            setTableOpen(false)
          }}
          onClose={() => setTableOpen(false)}
        />
      )}
      <form
        className="constructor-add-option"
        onSubmit={(event) => {
          event.preventDefault()
          add([label])
        }}
        onPaste={(event) => {
          const lines = event.clipboardData.getData('text').split(/\r?\n/)
          if (lines.length < 2) return
          event.preventDefault()
          add(lines)
        }}
      >
        <TextSetting
          label="New choice"
          hint="Or paste several, each on its own line"
          own
          maxLength={LONGEST_LABEL}
          value={label}
          messages={full}
          onChange={setLabel}
        />
        <Button type="submit" icon="plus" text="Add choice" />
      </form>
    </div>
  )
}

function withOption(options: Option[], text: string): Option[] {
  const label = text.trim().slice(0, 300)
  if (label === '') return options
  const value = newFieldName(label, new Set(options.map((o) => String(o.value))))
  return [...options, { value, label }]
}

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
function OptionRow(props: Props): ReactElement {
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
          maxLength={LONGEST_LABEL}
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
      {isRetired && <p className="constructor-hint">Not offered any more; kept where it is stored.</p>}
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
