import { HTMLSelect } from '@blueprintjs/core'
import { useEffect, useState } from 'react'
import { isSet, type Values } from '../../contract/when.ts'
import { getAt, parentOf } from '../form/paths.ts'
import { useRecordName } from '../form/ReadView.tsx'
import type { PresetField } from '../form/sections.ts'
import { useContract } from '../runtime/contract.ts'
import { entityOf } from '../runtime/entityOf.ts'
import Combobox from './Combobox.tsx'
import { useFilledParams } from './choices.ts'
import type { Choice } from './Typeahead.tsx'
import { choiceOf, useRefChoices } from './useRefChoices.ts'
import { controlProps, type FieldWidgetProps, fieldOf } from './widgetProps.ts'

/** More than this are searched, not read. */
const FEW = 12

/** Another record: chosen from what its entity names, by what people call one; by typing a part of that, save among few. */
export function RefSelect(props: FieldWidgetProps) {
  const { id, value, onChange, onBlur, options, registry } = props
  const contract = useContract()
  const { preset, attrs } = fieldOf(options) as PresetField
  const { ref, lookup_params } = attrs!
  const { title, chosen } = contract.entities[ref!]
  const [term, setTerm] = useState('')
  const [last, setLast] = useState<Choice>()
  const [isSelect, setIsSelect] = useState<boolean>()
  const { store, pathOf } = registry.formContext
  const params = useFilledParams(store, pathOf(id), lookup_params)
  const { call, rows, isMore, isSearching } = useRefChoices(chosen?.from, term, params)
  const isListed = !rows || rows.some((row) => row.id === value)
  const name = useRecordName(ref!, isListed ? undefined : value)
  if (!chosen || !call) return <p id={id}>Open the {title.toLowerCase()} it is for, and add it there.</p>
  const around = (getAt(store.document(), parentOf(pathOf(id))) ?? {}) as Values
  const belongs = Object.entries(entityOf(contract, call).properties).filter(([, { ref }]) => ref)
  // What belongs elsewhere than the record itself is not offered.
  const isFitting = (row: Values) =>
    belongs.every(([name]) => !isSet(around[name]) || around[name] === row[name])
  const choices = rows?.filter(isFitting).map((row) => choiceOf(row, chosen))
  choices?.sort((a, b) => a.label.localeCompare(b.label))
  const known = [...(choices ?? []), ...(last ? [last] : [])].find((choice) => choice.value === value)
  const unknown = { value, label: `${name}${choices && !isMore ? ' (no longer offered)' : ''}` }
  const now = isSet(value) ? (known ?? unknown) : undefined
  const onFieldBlur = () => onBlur(id, value)
  const only = preset === 'only' && choices?.length === 1 && !isMore ? choices[0].value : undefined
  useEffect(() => {
    if (only !== undefined) store.setDefault(pathOf(id), only)
    // Once it is known: whoever clears it means that.
  }, [only])
  // Which control it is, is decided once: one that somebody is at is not exchanged under their hand.
  if (choices && isSelect === undefined) {
    setIsSelect(!chosen.about && !isMore && choices.length <= FEW && document.activeElement?.id !== id)
  }
  if (!isSelect) {
    return (
      <Combobox
        control={controlProps(props)}
        label={title}
        choices={choices}
        chosen={now}
        isSearching={isSearching}
        onType={isMore ? setTerm : undefined}
        onChoose={(choice) => {
          setLast(choice)
          onChange(choice?.value)
        }}
        onBlur={onFieldBlur}
      />
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
      <option value="">{choices?.length === 0 ? 'There is none of yours' : ''}</option>
      {[...(choices ?? []), ...(now && !choices?.includes(now) ? [now] : [])].map((choice) => (
        <option key={String(choice.value)} value={String(choice.value)}>
          {choice.label}
        </option>
      ))}
    </HTMLSelect>
  )
}
