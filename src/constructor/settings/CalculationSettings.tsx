import { Checkbox } from '@blueprintjs/core'
import { type ReactElement, useId } from 'react'
import { resultTypes } from '../../contract/calculate.ts'
import { CALCULATIONS } from '../../contract/calculations.ts'
import { holdsRows, isQuestion } from '../../contract/fieldTypes.ts'
import type { CalculationName, Field, FieldAttrs } from '../../contract/generated.ts'
import { CALENDAR_CALCULATION } from '../../contract/meta/checkCalculation.ts'
import { reachInRows } from '../../contract/meta/places.ts'
import type { When } from '../../contract/when.ts'
import { ConditionEditor } from '../conditions/Condition.tsx'
import { withNewTest } from '../conditions/conditionRows.ts'
import { reachOf } from '../conditions/reach.ts'
import { Messages } from '../controls/Messages.tsx'
import { RadioSetting, SelectSetting } from '../controls/SelectSetting.tsx'
import type { Address } from '../state/address.ts'
import { type SetAttrs, useEditorContext } from '../state/editorContext.ts'
import { messagesAt } from '../state/editorErrors.ts'
import { Arguments, startOf } from './Arguments.tsx'
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
