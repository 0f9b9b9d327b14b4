import { HTMLSelect } from '@blueprintjs/core'
import { useEffect, useState } from 'react'
import { compareLabels } from '../../../contract/compareKey.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import { useContract } from '../../core/contract.ts'
import { entityOf } from '../../core/entityOf.ts'
import { formOf } from '../store/formContext.ts'
import { getAt, parentOf } from '../store/paths.ts'
import type { PresetField } from '../store/sections.ts'
import Combobox from './Combobox.tsx'
import { useFilledParams } from './choices.ts'
import { useRecordName } from './ReadView.tsx'
import type { Choice } from './Typeahead.tsx'
import { choiceOf, useRefChoices } from './useRefChoices.ts'
import { controlProps, type FieldWidgetProps, fieldOf } from './widgetProps.ts'

/** Maximum number of choices in a native select. */
const MAX_SELECT_CHOICES = 12

/**
 * A reference to another record, chosen from the calls that its entity lists: a native select if there are few records,
 * otherwise a combobox.
 */
export function RefSelect(props: FieldWidgetProps) {
  const { id, value, onChange, onBlur, options, registry } = props
  const contract = useContract()
  const { preset, attrs } = fieldOf(options) as PresetField
  const { ref, lookup_params } = attrs!
  const { title, chosen } = contract.entities[ref!]
  const [term, setTerm] = useState('')
  const [last, setLast] = useState<Choice>()
  const [isSelect, setIsSelect] = useState<boolean>()
  const { store, pathOf } = formOf(registry)
  const params = useFilledParams(store, pathOf(id), lookup_params)
  const { call, rows, isMore, isSearching } = useRefChoices(chosen?.from, term, {
    ...chosen?.params,
    ...params,
  })
  const isListed = !rows || rows.some((row) => row.id === value)
  const name = useRecordName(ref!, isListed ? undefined : value)
  const siblings = (getAt(store.document(), parentOf(pathOf(id))) ?? {}) as Values
  const properties = call ? entityOf(contract, call).properties : {}
  const belongs = Object.entries(properties).filter(([, { ref }]) => ref)
  // Only records with the same parent records as this one are offered.
  const isFitting = (row: Values) =>
    belongs.every(([name]) => !isSet(siblings[name]) || siblings[name] === row[name])
  const choices = chosen && rows?.filter(isFitting).map((row) => choiceOf(row, chosen, properties))
  choices?.sort((a, b) => compareLabels(a.label, b.label))
  const known = [...(choices ?? []), ...(last ? [last] : [])].find((choice) => choice.value === value)
  const unknown = { value, label: `${name}${choices && !isMore ? ' (no longer offered)' : ''}` }
  const now = isSet(value) ? (known ?? unknown) : undefined
  const onFieldBlur = () => onBlur(id, value)
  const only = preset === 'only' && choices?.length === 1 && !isMore ? choices[0].value : undefined
  useEffect(() => {
    if (only !== undefined) store.setDefault(pathOf(id), only)
    // Only once it is known, so that the person can clear it.
  }, [only])
  if (!chosen || !call) return <p id={id}>Open the {title.toLowerCase()} it is for, and add it there.</p>
  // The control is decided once: one that has the focus must not be replaced.
  if (choices && isSelect === undefined) {
    setIsSelect(
      !chosen.about && !isMore && choices.length <= MAX_SELECT_CHOICES && document.activeElement?.id !== id,
    )
  }
  if (!isSelect) {
    return (
      <>
        <Combobox
          control={controlProps(props)}
          label={title}
          choices={choices}
          isMore={isMore}
          chosen={now}
          isSearching={isSearching}
          onType={isMore ? setTerm : undefined}
          onChoose={(choice) => {
            setLast(choice)
            onChange(choice?.value)
          }}
          onBlur={onFieldBlur}
        />
        <p className="field-warning" role="status">
          {known && isSet(value) ? known.warning : ''}
        </p>
      </>
    )
  }
  return (
    <HTMLSelect
      {...controlProps(props)}
      iconProps={{ title: undefined }}
      value={isSet(value) ? String(value) : ''}
      onChange={(event) => onChange(Number(event.currentTarget.value) || undefined)}
      onBlur={onFieldBlur}
    >
      <option value="">{choices?.length === 0 ? 'There are none that you may choose' : ''}</option>
      {[...(choices ?? []), ...(now && !choices?.includes(now) ? [now] : [])].map((choice) => (
        <option key={String(choice.value)} value={String(choice.value)}>
          {choice.label}
        </option>
      ))}
    </HTMLSelect>
  )
}
