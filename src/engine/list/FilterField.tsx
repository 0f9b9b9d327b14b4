import { Checkbox, FormGroup, HTMLSelect, InputGroup } from '@blueprintjs/core'
import type { ComponentType } from 'react'
import { useLookup } from '../lookups.ts'
import { type Filter, type FilterKind, kindOf, valuesOf } from './filters.ts'

interface Props {
  id: string
  filter: Filter
  text: string
  onChange: (text: string) => void
}

const CONTROLS: Record<FilterKind, ComponentType<Props>> = {
  text: Text,
  date: Text,
  choice: Choice,
  flag: Flag,
}

/** One filter with its label; values are texts, as the address bar holds them, and '' is none. */
export function FilterField(props: Props) {
  const kind = kindOf(props.filter)
  const Control = CONTROLS[kind]
  if (kind === 'flag') return <Control {...props} />
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
  const choices = useChoices(filter)
  // What it begins with may be several choices at once.
  const several = [text, filter.default].find((one) => one?.includes(','))
  return (
    <HTMLSelect id={id} fill value={text} onChange={(e) => onChange(e.target.value)}>
      <option value="">Any</option>
      {several && <option value={several}>{choiceLabel(filter, choices, several)}</option>}
      {choices.map(({ value, label }) => (
        <option key={String(value)} value={String(value)}>
          {label}
        </option>
      ))}
    </HTMLSelect>
  )
}

function Flag({ id, filter, text, onChange }: Props) {
  return (
    <Checkbox
      id={id}
      className="list-flag"
      label={flagLabel(filter)}
      checked={text === 'true'}
      onChange={(e) => onChange(e.currentTarget.checked ? 'true' : '')}
    />
  )
}

/** What a filter that is only on or off is called. */
export function flagLabel({ options, title }: Filter): string {
  return options?.find((o) => o.value === true)?.label ?? title
}

/** What a filter's choice is called, or all of them; by its value where nothing calls it anything. */
export function choiceLabel(filter: Filter, choices: { value: unknown; label: string }[], text: string) {
  const labelOf = (one: string) => choices.find(({ value }) => String(value) === one)?.label ?? one
  return valuesOf(filter, text).map(labelOf).join(', ')
}

/** The values a filter offers. */
export function useChoices({ options, lookup }: Filter): { value: unknown; label: string }[] {
  const items = useLookup(options ? undefined : lookup)
  return options ?? items ?? []
}
