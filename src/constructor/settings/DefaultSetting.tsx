import { Checkbox } from '@blueprintjs/core'
import { type ReactElement, useCallback, useMemo } from 'react'
import { computedDefault } from '../../contract/computedDefault.ts'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import { FIELD_TYPES, isDay, isSingleValue, takesSeveralChoices } from '../../contract/fieldTypes.ts'
import type { CalculationName, Field, FieldAttrs } from '../../contract/generated.ts'
import { isPrefill, ME } from '../../contract/meta/checkDefault.ts'
import { type ItemStatus, unavailableDefault } from '../../contract/meta/unavailableItems.ts'
import type { Literal } from '../../contract/when.ts'
import { useItemLabels } from '../../engine/core/useItemLabels.ts'
import { offeredAt } from '../conditions/reach.ts'
import { Values } from '../conditions/Values.tsx'
import { Messages } from '../controls/Messages.tsx'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import type { Address } from '../state/address.ts'
import { type SetAttrs, useEditorContext } from '../state/editorContext.ts'
import { messagesAt } from '../state/editorErrors.ts'
import { Arguments, startOf } from './Arguments.tsx'
import { calculationsFor } from './CalculationSettings.tsx'

const SAME = 'same'
const CALC = 'calc:'

interface Props {
  field: Field
  address: Address
  set: SetAttrs
}

/** The default of a field in a new form: none, a literal, another answer, or a calculation. */
export function DefaultSetting(props: Props): ReactElement | null {
  const { field, address, set } = props
  const preset = computedDefault(field)
  const save = (next: FieldAttrs['default']) => set({ default: next }, { what: 'Begins as' })
  if (!isSingleValue(field)) return null
  const hasLiteral = FIELD_TYPES[field.type].attrs?.includes('default') === true
  const choices = [
    { value: SAME, label: 'The same as another answer' },
    ...calculationsFor(field)
      .filter(({ value }) => value !== 'choose')
      .map(({ value, label }) => ({ value: `${CALC}${value}`, label })),
  ]
  const choose = (next?: string) => {
    if (!next) return save(undefined)
    if (next === SAME) return save({ from: '$' })
    const calc = next.slice(CALC.length) as CalculationName
    save({ calc, of: startOf(calc, preset?.calc ? preset.of : []) })
  }
  return (
    <>
      {/* Columns of a repeat can only have a literal default. */}
      {(address.length === 2 || preset) && (
        <SelectSetting
          label="How it begins"
          value={preset && (preset.calc ? `${CALC}${preset.calc}` : SAME)}
          none={hasLiteral ? 'Empty, or as a value of your own' : 'Empty'}
          choices={choices}
          onChange={choose}
        />
      )}
      {!preset && hasLiteral && <LiteralDefault {...props} />}
      {preset && <ComputedDefault {...props} />}
    </>
  )
}

/** Settings of a default that is taken from another answer, the client or the user, or calculated. */
function ComputedDefault({ field, address, set }: Props): ReactElement {
  const form = useEditorContext()
  const { errors } = form
  const preset = computedDefault(field)!
  const what = { what: 'Begins as' }
  if (preset.calc) {
    return (
      <Arguments
        {...{ field, address }}
        formula={preset}
        at="attrs.default.of"
        legend="Begins as calculated from"
        onChange={(of, typing) => set({ default: { ...preset, of } }, { ...what, typing })}
      />
    )
  }
  const offered = [ME, ...offeredAt(form, address)].map((source) => ({ value: pathOf(source), source }))
  const suited = offered.filter(({ source }) => isPrefill(field, source))
  return (
    <SelectSetting
      label="Begins as"
      value={preset.from === '$' ? undefined : preset.from}
      none="Choose an answer"
      choices={suited.map(({ value, source }) => ({ value, label: source.label }))}
      messages={messagesAt(errors, address, 'attrs.default')}
      onChange={(from = '$') => set({ default: { from } }, what)}
    />
  )
}

/** The path of a field as a default names it; those outside of the form have it as their name. */
function pathOf({ name }: Field): string {
  return name.startsWith('$') ? name : `$${name}`
}

function LiteralDefault({ field, address, set }: Props): ReactElement {
  const { errors } = useEditorContext()
  const defaultValue = field.attrs?.default
  const save = (next: FieldAttrs['default']) => set({ default: next }, { what: 'Begins as', typing: true })
  const isMany = takesSeveralChoices(field)
  const unavailable = useItemLabels(
    useCallback(
      (itemLabel: ItemLabel, itemStatus: ItemStatus) => unavailableDefault(field, itemLabel, itemStatus),
      [field],
    ),
  )
  const values = useMemo(
    () => (defaultValue === undefined ? [] : ([defaultValue].flat() as Literal[])),
    [defaultValue],
  )
  const choose = (values: Literal[]) =>
    save(isMany ? (values.length > 0 ? values : undefined) : ((values[0] ?? undefined) as string | number))
  return (
    <div className="constructor-setting">
      {isDay(field) ? (
        <Checkbox
          label="Begins as today"
          checked={defaultValue === 'today'}
          onChange={(event) => save(event.currentTarget.checked ? 'today' : undefined)}
        />
      ) : (
        <Values
          field={field}
          label="Begins as"
          many={isMany}
          none="Not answered"
          values={values}
          onChange={choose}
        />
      )}
      <Messages messages={[...messagesAt(errors, address, 'attrs.default'), ...unavailable]} />
    </div>
  )
}
