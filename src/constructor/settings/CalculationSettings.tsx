import { Button, Checkbox } from '@blueprintjs/core'
import { type ReactElement, useId, useState } from 'react'
import { resultTypes, takesKind } from '../../contract/calculate.ts'
import {
  type Argument,
  CALCULATIONS,
  DATE_FORMATS,
  type Formula,
  type Kind,
  TODAY,
} from '../../contract/calculations.ts'
import { holdsRows, isQuestion } from '../../contract/fieldTypes.ts'
import type { CalculationName, Field, FieldAttrs } from '../../contract/generated.ts'
import { CALENDAR_CALCULATION } from '../../contract/meta/checkCalculation.ts'
import { describeCalculation } from '../../contract/meta/describeCalculation.ts'
import { reachInRows } from '../../contract/meta/places.ts'
import { capitalised } from '../../contract/quoted.ts'
import type { When } from '../../contract/when.ts'
import { ConditionEditor } from '../conditions/Condition.tsx'
import { withNewTest } from '../conditions/conditionRows.ts'
import { offeredAt, reachOf } from '../conditions/reach.ts'
import { Messages } from '../controls/Messages.tsx'
import { RadioSetting, SelectSetting } from '../controls/SelectSetting.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'
import { type Address, isSame } from '../state/address.ts'
import { type SetAttrs, useEditorContext } from '../state/editorContext.ts'
import { type EditorError, messagesAt } from '../state/editorErrors.ts'
import { ChooseSettings, NEW_ROWS } from './ChooseSettings.tsx'
import { FoldOffer } from './FoldOffer.tsx'

/** Attributes that do not apply to a calculated field. */
const NOT_CALCULATED = {
  required: undefined,
  required_when: undefined,
  required_text: undefined,
  default: undefined,
  rules: undefined,
  pattern: undefined,
  min: undefined,
  max: undefined,
  referral: undefined,
} satisfies FieldAttrs

const PLACES = ['attrs.calc', ...Object.keys(NOT_CALCULATED).map((key) => `attrs.${key}`)]

/** Selects whether people fill in a field or a calculation does, with its arguments; null if none returns its type. */
export function CalculationSettings(props: {
  field: Field
  address: Address
  set: SetAttrs
}): ReactElement | null {
  const { field, address, set } = props
  const { errors } = useEditorContext()
  const { calc, of = [] } = field.attrs ?? {}
  const offered = calculationsFor(field, calc)
  if (offered.length === 0) return null
  const choose = (name: CalculationName | undefined) =>
    set(
      name
        ? {
            ...NOT_CALCULATED,
            calc: name,
            of: name === 'choose' ? undefined : startOf(name, of),
            choose: name === 'choose' ? NEW_ROWS : undefined,
            rows_when: name === 'count_rows' ? field.attrs?.rows_when : undefined,
            ...(name !== CALENDAR_CALCULATION && NO_CALENDAR),
          }
        : { calc: undefined, of: undefined, choose: undefined, rows_when: undefined, ...NO_CALENDAR },
      {
        what: 'Calculated',
      },
    )
  return (
    <>
      <SelectSetting
        label="How it is answered"
        value={calc}
        none={field.attrs?.hidden ? 'By what it begins as' : 'People fill it in'}
        choices={offered}
        messages={calc ? PLACES.flatMap((at) => messagesAt(errors, address, at)) : []}
        onChange={choose}
      />
      {calc === CALENDAR_CALCULATION && (
        <CalendarSetting field={field} messages={messagesAt(errors, address, 'attrs.calendar')} set={set} />
      )}
      <FoldOffer field={field} address={address} />
      {calc === 'choose' && <ChooseSettings {...props} />}
      {calc === 'count_rows' && <RowsSetting {...props} />}
      {calc && calc !== 'choose' && (
        <Arguments
          {...{ field, address }}
          formula={{ calc, of }}
          at="attrs.of"
          legend="Calculated from"
          onChange={(next, typing) => set({ of: next }, { what: 'Calculated from', typing })}
        />
      )}
    </>
  )
}

const NO_CALENDAR = { calendar: undefined } satisfies FieldAttrs

/** The condition of the rows that are counted. */
function RowsSetting({
  field,
  address,
  set,
}: {
  field: Field
  address: Address
  set: SetAttrs
}): ReactElement {
  const form = useEditorContext()
  const { errors, announce } = form
  const { rows_when, of = [] } = field.attrs ?? {}
  const reach = reachInRows(reachOf(form, address), String(of[0]))
  const columns = reachOf(form, address).get(String(of[0]))?.fields ?? []
  const save = (when: When | undefined) => set({ rows_when: when }, { what: 'Rows counted' })
  return (
    <>
      <RadioSetting
        label="Rows counted"
        value={rows_when ? 'when' : 'all'}
        choices={[
          { value: 'all', label: 'All' },
          { value: 'when', label: 'Only those in which…' },
        ]}
        onChange={(value) => save(value === 'when' ? withNewTest() : undefined)}
      />
      {rows_when && (
        <ConditionEditor
          label="Counted only when"
          when={rows_when}
          messages={messagesAt(errors, address, 'attrs.rows_when')}
          reach={reach}
          offered={columns.filter((column) => isQuestion(column) && !holdsRows(column))}
          announce={announce}
          onChange={save}
        />
      )}
    </>
  )
}

interface CalendarProps {
  field: Field
  messages: string[]
  set: SetAttrs
}

/** Whether the working days of a calculation leave out bank holidays. */
function CalendarSetting({ field: { attrs }, messages, set }: CalendarProps) {
  const id = useId()
  return (
    <div className="constructor-setting">
      <Checkbox
        label="Leave out bank holidays"
        aria-describedby={id}
        checked={attrs?.calendar === true}
        onChange={({ currentTarget: { checked } }) =>
          set({ calendar: checked ? true : undefined }, { what: 'Bank holidays' })
        }
      />
      <p className="constructor-hint" id={id}>
        Those of the council area of the case, as kept in the Admin Site.
      </p>
      <Messages messages={messages} />
    </div>
  )
}

/** Calculations that return the type of a field, and its current one. */
export function calculationsFor(field: Field, calc?: CalculationName) {
  return Object.entries(CALCULATIONS)
    .filter(([name, { gives }]) => name === calc || resultTypes(gives).includes(field.type))
    .map(([name, { title, about }]) => ({
      value: name as CalculationName,
      label: `Calculated: ${title} – ${about.charAt(0).toLowerCase()}${about.slice(1)}`,
    }))
}

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

/** What the select of an argument shows. */
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
