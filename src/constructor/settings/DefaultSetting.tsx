import { Checkbox } from '@blueprintjs/core'
import { type ReactElement, useCallback, useMemo, useState } from 'react'
import { computedDefault } from '../../contract/computedDefault.ts'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import { FIELD_TYPES, isDay, isSingleValue, takesSeveralChoices } from '../../contract/fieldTypes.ts'
import type { CalculationName, Field, FieldAttrs } from '../../contract/generated.ts'
import { isPrefill, ME } from '../../contract/meta/checkDefault.ts'
import { type ItemStatus, unavailableDefault } from '../../contract/meta/unavailableItems.ts'
import { SOURCES, type Source, sourceOfPath } from '../../contract/seen.ts'
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
/** Where a value from outside of the form comes from, beside another answer. */
const FROM: Record<Source, string> = {
  client: 'From the client',
  case: 'From the case',
  last: 'From last time',
}

interface Props {
  field: Field
  address: Address
  set: SetAttrs
}

/** The default of a field in a new form: none, a literal, another answer, or a calculation. */
export function DefaultSetting(props: Props): ReactElement | null {
  const { field, address, set } = props
  const { outside } = useEditorContext()
  const preset = computedDefault(field)
  /** What was chosen here last, while its path is still to be chosen. */
  const [asked, setAsked] = useState<Source>()
  const source =
    preset && !preset.calc
      ? (sourceOfPath(preset.from) ?? (isUnchosen(preset) ? asked : undefined))
      : undefined
  const save = (next: FieldAttrs['default']) => set({ default: next }, { what: 'Begins as' })
  if (!isSingleValue(field)) return null
  const hasLiteral = FIELD_TYPES[field.type].attrs?.includes('default') === true
  const choices = [
    { value: SAME, label: 'The same as another answer' },
    ...SOURCES.filter(
      (one) =>
        one === source || [...outside.values()].some((from) => isOf(one, from) && isPrefill(field, from)),
    ).map((value) => ({ value, label: FROM[value] })),
    ...calculationsFor(field)
      .filter(({ value }) => value !== 'choose')
      .map(({ value, label }) => ({ value: `${CALC}${value}`, label })),
  ]
  const choose = (next?: string) => {
    if (!next) return save(undefined)
    const from = SOURCES.find((one) => one === next)
    setAsked(from)
    if (from || next === SAME) return save({ from: '$' })
    const calc = next.slice(CALC.length) as CalculationName
    save({ calc, of: startOf(calc, preset?.calc ? preset.of : []) })
  }
  return (
    <>
      {/* Columns of a repeat can only have a literal default. */}
      {(address.length === 2 || preset) && (
        <SelectSetting
          label="How it begins"
          value={preset && (preset.calc ? `${CALC}${preset.calc}` : (source ?? SAME))}
          none={hasLiteral ? 'Empty, or as a value of your own' : 'Empty'}
          choices={choices}
          onChange={choose}
        />
      )}
      {!preset && hasLiteral && <LiteralDefault {...props} />}
      {preset && <ComputedDefault {...props} source={source} />}
    </>
  )
}

/** Settings of a default that is taken from another answer, the client or the user, or calculated. */
function ComputedDefault({
  field,
  address,
  set,
  source: wanted,
}: Props & { source: Source | undefined }): ReactElement {
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
  const offered = [ME, ...offeredAt(form, address)]
    .filter(({ name }) => sourceOfPath(name) === wanted)
    .map((source) => ({ value: pathOf(source), source }))
  const suited = offered.filter(({ source }) => isPrefill(field, source))
  return (
    <SelectSetting
      label="Begins as"
      value={isUnchosen(preset) ? undefined : preset.from}
      none="Choose an answer"
      choices={suited.map(({ value, source }) => ({ value, label: source.label }))}
      messages={messagesAt(errors, address, 'attrs.default')}
      onChange={(from = '$') => set({ default: { from } }, what)}
    />
  )
}

/** True for a field of this record outside of the form. */
function isOf(source: Source, { name }: Field): boolean {
  return sourceOfPath(name) === source
}

/** True while it is not chosen which answer a field begins as. */
function isUnchosen({ from }: { from?: string }): boolean {
  return from === '$'
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
