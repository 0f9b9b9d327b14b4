import { HTMLSelect } from '@blueprintjs/core'
import { isSet } from '../../contract/when.ts'
import type { Item } from '../lookups.ts'
import { type AskProps, controlProps } from './ask.ts'
import { byHeading, useChoices } from './choices.ts'

export function Select(ask: AskProps) {
  const { id, value, onChange, onBlur } = ask
  const items = useChoices(ask)
  const choose = (text: string) => onChange(items?.find((i) => String(i.value) === text)?.value)
  return (
    <HTMLSelect
      {...controlProps(ask)}
      iconProps={{ title: undefined }}
      aria-busy={items ? undefined : true}
      value={isSet(value) ? String(value) : ''}
      onChange={(event) => choose(event.currentTarget.value)}
      onBlur={() => onBlur(id, value)}
    >
      <option value="">{items ? '' : 'Loading…'}</option>
      {!items && isSet(value) && <option value={String(value)}>Loading…</option>}
      {byHeading(items ?? []).map(([heading, under]) =>
        heading ? (
          <optgroup key={heading} label={heading}>
            <Options items={under} />
          </optgroup>
        ) : (
          <Options key="" items={under} />
        ),
      )}
    </HTMLSelect>
  )
}

function Options({ items }: { items: Item[] }) {
  return items.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
}
