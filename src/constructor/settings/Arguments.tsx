import { Button } from '@blueprintjs/core'
import { type ReactElement, useState } from 'react'
import { takesKind } from '../../contract/calculate.ts'
import { CALCULATIONS, type Kind } from '../../contract/calculations.ts'
import { DATE_FORMATS } from '../../contract/dateFormats.ts'
import { holdsRows } from '../../contract/fieldTypes.ts'
import { type Argument, type Formula, TODAY } from '../../contract/formula.ts'
import type { CalculationName, Field } from '../../contract/generated.ts'
import { describeCalculation } from '../../contract/meta/describeCalculation.ts'
import { capitalised } from '../../contract/quoted.ts'
import { offeredAt, reachOf } from '../conditions/reach.ts'
import { Messages } from '../controls/Messages.tsx'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'
import { type Address, isSame } from '../state/address.ts'
import { useEditorContext } from '../state/editorContext.ts'
import { type EditorError, messagesAt } from '../state/editorErrors.ts'

interface ArgumentsProps {
  field: Field
  address: Address
  formula: Formula
  /** Path of the arguments below the field. */
  at: string
  legend: string
  onChange: (next: Argument[], typing?: boolean) => void
}

/** The arguments of a calculation, and the calculation in words. */
export function Arguments(props: ArgumentsProps): ReactElement {
  const { field, address, formula, at, legend, onChange } = props
  const form = useEditorContext()
  const { errors } = form
  const { calc, of } = formula
  const { least, most } = CALCULATIONS[calc]
  const isOfAll = (error: EditorError) => isSame(error.address, address) && error.at === at
  return (
    <fieldset className="constructor-arguments">
      <legend>{legend}</legend>
      {of.map((argument, i) => (
        <ArgumentRow
          key={i}
          {...{ address, calc, argument }}
          at={`${at}.${i}`}
          number={i + 1}
          onChange={(next, typing) => onChange(of.with(i, next), typing)}
          onRemove={of.length > least ? () => onChange(of.toSpliced(i, 1)) : undefined}
        />
      ))}
      {of.length < most && <Button icon="plus" text="Add a value" onClick={() => onChange([...of, ''])} />}
      <Messages messages={errors.filter(isOfAll).map(({ message }) => message)} />
      <p className="constructor-hint">
        {sentence(
          { ...field, attrs: { calendar: field.attrs?.calendar, ...formula } },
          reachOf(form, address),
        )}
      </p>
    </fieldset>
  )
}

/** Initial arguments of a calculation, reusing those of the previous one. */
export function startOf(name: CalculationName, before: Argument[]): Argument[] {
  const { least, most } = CALCULATIONS[name]
  const kept = before.slice(0, most)
  return [...kept, ...Array<Argument>(Math.max(0, least - kept.length)).fill('')]
}

function sentence(field: Field, reach: Map<string, Field>): string {
  return capitalised(describeCalculation(field, reach))
}

const NUMBER = '#number'
const TEXT = '#text'
const FORMAT = '#format '
const FORMATS = Object.entries(DATE_FORMATS).map(([name, { title }]) => ({
  value: FORMAT + name,
  label: title,
}))

function selectedValue(argument: Argument, taken: Kind): string | undefined {
  if (typeof argument === 'number') return NUMBER
  if (typeof argument === 'object') return taken === 'dateFormat' ? FORMAT + argument.text : TEXT
  return argument || undefined
}

function argumentOf(chosen: string): Argument {
  if (chosen === NUMBER) return 0
  if (chosen.startsWith(FORMAT)) return { text: chosen.slice(FORMAT.length) }
  return chosen === TEXT ? { text: ', ' } : chosen
}

interface ArgumentProps {
  address: Address
  calc: CalculationName
  argument: Argument
  at: string
  number: number
  onChange: (argument: Argument, typing?: boolean) => void
  onRemove?: () => void
}

/** One argument: a field, today, or a literal number or text. */
function ArgumentRow({
  address,
  calc,
  argument,
  at,
  number,
  onChange,
  onRemove,
}: ArgumentProps): ReactElement {
  const form = useEditorContext()
  const { errors } = form
  const { takes, takesRows } = CALCULATIONS[calc]
  const taken = takes[Math.min(number - 1, takes.length - 1)]
  const suited = offeredAt(form, address).flatMap((source) => {
    if (!holdsRows(source) || taken === 'rows')
      return takesKind(taken, source) ? { value: source.name, label: source.label } : []
    if (!takesRows) return []
    const columns = (source.fields ?? []).filter((column) => takesKind(taken, column))
    const whole = calc === 'count' ? [{ value: source.name, label: `${source.label}: rows` }] : []
    return [
      ...whole,
      ...columns.map(({ name, label }) => ({
        value: `${source.name}.${name}`,
        label: `${source.label}: ${label} of every row`,
      })),
    ]
  })
  const choices = [
    ...suited,
    ...(taken === 'date' || taken === 'amount' ? [{ value: TODAY, label: 'Today' }] : []),
    ...(taken === 'number' || taken === 'amount' ? [{ value: NUMBER, label: 'A number' }] : []),
    ...(calc === 'join_text' ? [{ value: TEXT, label: 'A text between them' }] : []),
    ...(taken === 'dateFormat' ? FORMATS : []),
  ]
  const choose = (next = '') => onChange(argumentOf(next))
  const value = selectedValue(argument, taken)
  return (
    <div className="constructor-argument">
      <SelectSetting
        label={`Value ${number}`}
        value={value}
        choices={choices}
        messages={messagesAt(errors, address, at)}
        onChange={choose}
      />
      {typeof argument === 'number' && (
        <NumberSetting
          label={`Number ${number}`}
          value={argument}
          onChange={(next) => onChange(next, true)}
        />
      )}
      {value === TEXT && typeof argument === 'object' && (
        <TextSetting
          label={`Text ${number}`}
          maxLength={50}
          value={argument.text}
          onChange={(text) => onChange({ text }, true)}
        />
      )}
      {onRemove && (
        <Button
          variant="minimal"
          size="small"
          icon="trash"
          aria-label={`Remove value ${number}`}
          onClick={onRemove}
        />
      )}
    </div>
  )
}

interface NumberProps {
  label: string
  value: number
  onChange: (value: number) => void
}

/** A literal number. While the box is empty or has only a minus sign, the previous number stays. */
function NumberSetting({ label, value, onChange }: NumberProps): ReactElement {
  const [typed, setTyped] = useState({ text: String(value), value })
  // Undo may have changed the number in the meantime.
  const text = typed.value === value ? typed.text : String(value)
  const change = (text: string) => {
    const next = text === '' ? value : Number(text)
    setTyped({ text, value: next })
    onChange(next)
  }
  return (
    <TextSetting
      label={label}
      type="number"
      value={text}
      messages={text === '' ? ['Enter a number'] : []}
      onChange={change}
    />
  )
}
