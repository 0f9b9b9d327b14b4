import { Button } from '@blueprintjs/core'
import { type ReactElement, useId, useMemo, useState } from 'react'
import { newFieldName } from '../../contract/fieldName.ts'
import type { Field, Option } from '../../contract/generated.ts'
import { FORM_LIMITS, MAX_LABEL_LENGTH } from '../../contract/meta/formLimits.ts'
import { loadable } from '../../engine/core/loadable.tsx'
import { LimitNote } from '../controls/LimitNote.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'
import { type Address, fieldAt, seek } from '../state/address.ts'
import { type SetAttrs, useEditorContext } from '../state/editorContext.ts'
import { messagesAt } from '../state/editorErrors.ts'
import { canTake, canTakeColumn, mergeChoice, sourceAt } from '../state/takeAnswers.ts'
import { OptionRow } from './OptionRow.tsx'
import { sameChoices } from './sameChoices.ts'

const OptionsTable = loadable(() => import('./OptionsTable.tsx'))
const WeightsTable = loadable(() => import('./WeightsTable.tsx'))

interface OptionsProps {
  field: Field
  address: Address
  set: SetAttrs
}

/** Editor of a field's own choices: labels, order, and whether they are retired. Stored values never change. */
export function Options(props: OptionsProps): ReactElement {
  const { field, address } = props
  const { errors } = useEditorContext()
  const heading = useId()
  const { options, save, add, move, merge, isStored, source } = useOptionEdits(props)
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
      <OptionTables
        field={field}
        address={address}
        isStored={isStored}
        onDone={(next) => save(next, 'Choices')}
      />
      <AddOption add={add} />
    </div>
  )
}

/** The edits of a field's choices, each of which is announced and can be undone. */
function useOptionEdits({ field, address, set }: OptionsProps) {
  const editorContext = useEditorContext()
  const { announce, before } = editorContext
  const options = field.attrs?.options ?? []
  const save = (next: Option[], what: string, typing?: boolean) => set({ options: next }, { what, typing })
  const isTaking = canTake(editorContext, field, address) || canTakeColumn(editorContext, address)
  const published = fieldAt(before, seek(before, address) ?? [])?.attrs?.options ?? []
  /** Adds choices with these labels; returns an error if they would be too many, and undefined if none is new. */
  const add = (labels: string[]): string[] | undefined => {
    const next = labels.reduce(withOption, options)
    if (next.length === options.length) return undefined
    if (next.length > FORM_LIMITS.choices) {
      const words = `'${field.label}' may have ${FORM_LIMITS.choices} choices, and these would be ${next.length}; use a list instead`
      announce(words)
      return [words]
    }
    save(next, 'Choice added')
    announce(next.length === options.length + 1 ? `${next.at(-1)!.label} added` : 'Choices added')
    return []
  }
  const move = (at: number, by: number) => {
    const option = options[at]
    if (!options[at + by]) return announce(`${option.label} is already at the ${by < 0 ? 'top' : 'bottom'}`)
    save(options.toSpliced(at, 1).toSpliced(at + by, 0, option), 'Choice moved')
    announce(`${option.label} moved to place ${at + by + 1} of ${options.length}`)
  }
  const merge = (from: Option, into: Option) => {
    const { meta, editDraft } = editorContext
    editDraft((draft) => mergeChoice(draft, { meta, before }, address, from, into), {
      what: 'Choices merged',
      at: address,
    })
    announce(`${from.label} merged into ${into.label}`)
  }
  return {
    options,
    save,
    add,
    move,
    merge,
    isStored: (option: Option) =>
      editorContext.chosen(address, option.value) > 0 && published.some((one) => one.value === option.value),
    /** The published field whose choices can be merged. */
    source: isTaking ? sourceAt(editorContext.groups, before, address) : undefined,
  }
}

interface OptionTablesProps extends Omit<OptionsProps, 'set'> {
  isStored: (option: Option) => boolean
  onDone: (options: Option[]) => void
}

/** Buttons that open the choices as a table, and the weights of all questions with the same choices. */
function OptionTables({ field, address, isStored, onDone }: OptionTablesProps) {
  const { announce, groups } = useEditorContext()
  const [isTableOpen, setTableOpen] = useState(false)
  const [isWeighing, setWeighing] = useState(false)
  const alike = useMemo(() => sameChoices(groups, address), [groups, address])
  return (
    <>
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
            onDone(next)
            setTableOpen(false)
          }}
          onClose={() => setTableOpen(false)}
        />
      )}
    </>
  )
}

/** A box for a new choice, which takes several pasted ones too. */
function AddOption({ add }: { add: (labels: string[]) => string[] | undefined }) {
  const [label, setLabel] = useState('')
  const [full, setFull] = useState<string[]>([])
  const addAll = (labels: string[]) => {
    const messages = add(labels)
    if (!messages) return
    setFull(messages)
    if (messages.length === 0) setLabel('')
  }
  return (
    <form
      className="constructor-add-option"
      onSubmit={(event) => {
        event.preventDefault()
        addAll([label])
      }}
      onPaste={(event) => {
        const lines = event.clipboardData.getData('text').split(/\r?\n/)
        if (lines.length < 2) return
        event.preventDefault()
        addAll(lines)
      }}
    >
      <TextSetting
        label="New choice"
        hint="Or paste several, each on its own line"
        own
        maxLength={MAX_LABEL_LENGTH}
        value={label}
        messages={full}
        onChange={setLabel}
      />
      <Button type="submit" icon="plus" text="Add choice" />
    </form>
  )
}

function withOption(options: Option[], text: string): Option[] {
  const label = text.trim().slice(0, 300)
  if (label === '') return options
  const value = newFieldName(label, new Set(options.map((o) => String(o.value))))
  return [...options, { value, label }]
}
