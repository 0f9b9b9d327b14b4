import { Classes, FormGroup, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { type ComponentType, useState } from 'react'
import { type FilterKind, kindOf, NONE, NOT_SAID, valuesOf } from '../../contract/listFilters.ts'
import { idsOutside } from '../cells/labels.ts'
import { loadable } from '../page/loadable.tsx'
import { withStyle } from '../runtime/loadStyle.ts'
import { useLookupItems } from '../runtime/lookups.ts'
import { LARGE, useLookupSearch } from '../widgets/useLookupSearch.ts'
import type { Filter } from './filters.ts'

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

// Few lists have a filter of so many choices, or one by answers.
const Combobox = loadable(() => import('../widgets/Combobox.tsx'), <InputGroup disabled aria-hidden />)
/** A filter by answers, or the tags of it. */
export const Answers = loadable(() => withStyle('answers', import('../answers/Answers.tsx')))

const CheckboxGroup = loadable(() => withStyle('checkboxGroup', import('./CheckboxGroup.tsx')))

const CONTROLS: Record<FilterKind, ComponentType<Props>> = {
  text: Text,
  date: Text,
  choice: Choice,
  flag: Flag,
  answers: Answers,
}

/** One filter with its label; values are texts, as the address bar holds them, and '' is none. */
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
  // What it begins with may be several choices at once.
  const several = [text, filter.default].find((one) => one?.includes(','))
  const all = several
    ? [{ value: several, label: choiceLabel(filter, choices, several) }, ...choices]
    : choices
  // One that was found by a term has a label before it is read by its id.
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

/** Drawn as Blueprint's Checkbox, whose code few lists need. */
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

/** What a filter that is only on or off is called. */
export function flagLabel({ options, title }: Filter): string {
  return options?.find((o) => o.value === true)?.label ?? title
}

/** What a filter's choice is called, or all of them; by its value where nothing calls it anything. */
export function choiceLabel(filter: Filter, choices: Option[], text: string) {
  const labelOf = (one: string) => choices.find(({ value }) => String(value) === one)?.label ?? one
  return valuesOf(filter, text).map(labelOf).join(', ')
}

/** The values a filter offers, with those it has; of a lookup that is not sent as a whole, others are searched for. */
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
