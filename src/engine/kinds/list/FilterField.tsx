import { Classes, FormGroup, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { type ComponentType, useState } from 'react'
import { type FilterKind, kindOf, NONE, NOT_SAID, valuesOf } from '../../../contract/listFilters.ts'
import { formatDate } from '../../core/dates.ts'
import { idsOutside } from '../../core/labels.ts'
import { loadable } from '../../core/loadable.tsx'
import { withStyle } from '../../core/loadStyle.ts'
import { useLookupItems } from '../../core/lookups.ts'
import { LARGE, useLookupSearch } from '../../form/widgets/useLookupSearch.ts'
import type { Filter } from './state/filters.ts'

interface Option {
  value: unknown
  label: string
}

interface Props {
  id: string
  filter: Filter
  text: string
  onChange: (text: string) => void
}

// Lazy: few lists have a filter with so many choices, or one by answers.
const Combobox = loadable(
  () => import('../../form/widgets/Combobox.tsx'),
  <InputGroup disabled aria-hidden />,
)
/** A filter by answers, or its tags. */
export const Answers = loadable(() => withStyle('answers', import('../answers/Answers.tsx')))

const CheckboxGroup = loadable(() => withStyle('checkboxGroup', import('./CheckboxGroup.tsx')))

const CONTROLS: Record<FilterKind, ComponentType<Props>> = {
  text: Text,
  date: Text,
  choice: Choice,
  flag: Flag,
  answers: Answers,
}

/** One filter with its label. Values are texts, as in the URL; '' is none. */
export function FilterField(props: Props) {
  const kind = kindOf(props.filter)
  const Control = CONTROLS[kind]
  if (props.filter.several) return <CheckboxGroup {...props} />
  if (kind === 'flag' || kind === 'answers') return <Control {...props} />
  return (
    <FormGroup className="list-filter" label={props.filter.title} labelFor={props.id}>
      <Control {...props} />
    </FormGroup>
  )
}

function Text({ id, filter, text, onChange }: Props) {
  const digits = filter.type === 'integer' ? ({ inputMode: 'numeric' } as const) : {}
  return (
    <InputGroup
      {...digits}
      id={id}
      type={kindOf(filter) === 'date' ? 'date' : 'text'}
      autoComplete="off"
      maxLength={200}
      value={text}
      onValueChange={onChange}
    />
  )
}

function Choice({ id, filter, text, onChange }: Props) {
  const { choices, isLarge, search } = useFilterChoices(filter, text)
  // A default may be several choices at once.
  const several = [text, filter.default].find((one) => one?.includes(','))
  const all = several
    ? [{ value: several, label: choiceLabel(filter, choices, several) }, ...choices]
    : choices
  // An option that was found by search has a label before it is loaded by its id.
  const [last, setLast] = useState<Option>()
  if (isLarge)
    return (
      <Combobox
        {...search}
        control={{ id }}
        label={filter.title}
        choices={all}
        chosen={[...all, ...(last ? [last] : [])].find(({ value }) => String(value) === text)}
        onChoose={(choice) => {
          setLast(choice)
          onChange(choice ? String(choice.value) : '')
        }}
      />
    )
  return (
    <HTMLSelect id={id} fill value={text} onChange={(e) => onChange(e.target.value)}>
      {!filter.needed && <option value="">{filter.without ?? 'Any'}</option>}
      {all.map(({ value, label }) => (
        <option key={String(value)} value={String(value)}>
          {label}
        </option>
      ))}
    </HTMLSelect>
  )
}

/** Styled as Blueprint's Checkbox, without its code, which few lists need. */
function Flag({ id, filter, text, onChange }: Props) {
  return (
    <label className={`${Classes.CONTROL} ${Classes.CHECKBOX} list-flag`}>
      <input
        id={id}
        className={Classes.CONTROL_INPUT}
        type="checkbox"
        checked={text === 'true'}
        onChange={(e) => onChange(e.currentTarget.checked ? 'true' : '')}
      />
      <span className={Classes.CONTROL_INDICATOR} />
      {flagLabel(filter)}
    </label>
  )
}

export function flagLabel({ options, title }: Filter): string {
  return options?.find((o) => o.value === true)?.label ?? title
}

const MONTH = /^\d{4}-\d\d$/

/** The labels of a filter's values, joined by commas; a value without a label is unchanged, but for a month. */
export function choiceLabel(filter: Filter, choices: Option[], text: string) {
  const labelOf = (one: string) =>
    choices.find(({ value }) => String(value) === one)?.label ?? (MONTH.test(one) ? formatDate(one) : one)
  return valuesOf(filter, text).map(labelOf).join(', ')
}

/** The choices of a filter, including its own values; others of a lookup that is only loaded in part are searched. */
export function useFilterChoices({ options, lookup, ...filter }: Filter, text: string) {
  const name = options ? undefined : lookup
  const search = useLookupSearch(name, {})
  const values = text
    ? valuesOf({ options, lookup, ...filter }, text)
        .map(Number)
        .filter(Number.isInteger)
    : []
  const others = useLookupItems(name, search.items ? idsOutside(search.items, values) : [])
  const known: Option[] = options ?? [...(search.items ?? []), ...(others ?? [])]
  const choices = filter.match === 'is' ? [...known, { value: NONE, label: NOT_SAID }] : known
  return { choices, search, isLarge: search.isMore || choices.length > LARGE }
}
