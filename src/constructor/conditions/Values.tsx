import { Checkbox } from '@blueprintjs/core'
import { type ReactElement, useCallback, useId } from 'react'
import { describeAnswer, type ItemLabel } from '../../contract/describeAnswer.ts'
import { FIELD_TYPES, hasChoices } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/generated.ts'
import type { LookupParams } from '../../contract/lookupCall.ts'
import { type ItemStatus, unavailableItem } from '../../contract/meta/unavailableItems.ts'
import type { Literal } from '../../contract/when.ts'
import { useItemLabels } from '../../engine/core/useItemLabels.ts'
import { SearchingMultiselect } from '../../engine/form/widgets/SearchingMultiselect.tsx'
import { LARGE, type LookupSearch, useLookupSearch } from '../../engine/form/widgets/useLookupSearch.ts'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'

interface Props {
  field: Field
  many: boolean
  values: Literal[]
  onChange: (values: Literal[]) => void
  label?: string
  /** Label of the empty option, if the value is optional. */
  none?: string
}

/** Input of values of a field: a selection of its choices, or a text box if it has none. */
export function Values({ field, many, values, onChange, label = 'Value', none }: Props): ReactElement {
  const { choices, search } = useChoices(field)
  const id = useId()
  const nameOf = useItemLabels(
    useCallback(
      (itemLabel: ItemLabel, itemStatus: ItemStatus) =>
        new Map(
          values.map((value) => {
            const isRetired = unavailableItem(field, value, itemStatus) === 'retired'
            return [value, `${describeAnswer(field, value, itemLabel)}${isRetired ? ' (retired)' : ''}`]
          }),
        ),
      [field, values],
    ),
  )
  if (!choices) return <Typed field={field} value={values[0]} label={label} onChange={onChange} />
  const gone = values.filter((value) => !choices.some((c) => c.value === value))
  const all = [...choices, ...gone.map((value) => ({ value, label: nameOf.get(value)! }))]
  if (!many) {
    return (
      <SelectSetting
        label={label}
        quiet={label === 'Value'}
        value={values[0]}
        none={none ?? (values.length === 0 ? 'Choose a value…' : undefined)}
        choices={all}
        search={search}
        onChange={(value) => onChange(value === undefined ? [] : [value])}
      />
    )
  }
  const legend = <legend className={label === 'Value' ? 'visually-hidden' : undefined}>{label}</legend>
  if (search) {
    return (
      <fieldset className="constructor-values">
        {legend}
        <SearchingMultiselect<Literal>
          control={{ id }}
          label={label}
          choices={all}
          search={search}
          chosen={values.map((value) => all.find((c) => c.value === value)!)}
          onChange={onChange}
        />
      </fieldset>
    )
  }
  const turn = (value: Literal, on: boolean) =>
    onChange(all.map((c) => c.value).filter((v) => (v === value ? on : values.includes(v))))
  return (
    <fieldset className="constructor-values">
      {legend}
      {all.map(({ value, label: words }) => (
        <Checkbox
          key={JSON.stringify(value)}
          label={words}
          checked={values.includes(value)}
          onChange={(event) => turn(value, event.currentTarget.checked)}
        />
      ))}
    </fieldset>
  )
}

function Typed({
  field,
  value,
  label,
  onChange,
}: Pick<Props, 'field' | 'onChange'> & { value?: Literal; label: string }) {
  const { literal } = FIELD_TYPES[field.type]
  const isNumber = literal?.type === 'number'
  const read = (text: string) => (isNumber ? Number(text) : text)
  return (
    <TextSetting
      label={[label, literal?.written].filter(Boolean).join(' ')}
      type={isNumber ? 'number' : (literal?.input ?? 'text')}
      value={value === undefined || value === null ? '' : String(value)}
      onChange={(text) => onChange(text === '' ? [] : [read(text)])}
    />
  )
}

interface Choice {
  value: Literal
  label: string
}

interface FieldChoices {
  /** Undefined if the field takes any value. */
  choices: Choice[] | undefined
  /** Defined if the choices are too many to list. */
  search?: LookupSearch
}

/** The choices of a field: those of its type, its options or the items of its lookup. */
function useChoices(field: Field): FieldChoices {
  const { type, attrs = {} } = field
  const lookup = hasChoices(field) && !attrs.options ? attrs.lookup || undefined : undefined
  const search = useLookupSearch(lookup, literals(attrs.lookup_params))
  if (!hasChoices(field)) return { choices: FIELD_TYPES[type].ownChoices?.() }
  if (attrs.options) return { choices: attrs.options }
  const choices = search.items?.filter((item) => item.active !== false) ?? []
  return { choices, search: search.isMore || choices.length > LARGE ? search : undefined }
}

/** Parameters of a lookup except those that depend on the record. */
function literals(params: LookupParams = {}): LookupParams {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => !String(value).startsWith('$')))
}
