import { type KeyboardEvent, useId, useRef, useState } from 'react'
import type { Existing } from '../../../contract/generated.ts'
import type { Values } from '../../../contract/when.ts'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { entityOf } from '../../core/entityOf.ts'
import Typeahead from '../../form/widgets/Typeahead.tsx'
import { useDebounced } from '../../form/widgets/useDebounced.ts'
import { describeFound, reasonsOf } from './describeFound.ts'

interface Props {
  existing: Existing
  isWrong: boolean
  describedBy?: string
  onChoose: (id: number) => void
}

/** A search box for an existing record, with results while typing. */
export function ExistingSearch({ existing, isWrong, describedBy, onChoose }: Props) {
  const contract = useContract()
  const id = useId()
  const [text, setText] = useState('')
  const isEnterDown = useRef(false)
  const chosen = useRef<number>(undefined)
  const term = useDebounced(text.trim())
  const matches = useRead<Values[]>(
    term ? existing.search : undefined,
    { query: { term } },
    { keepPrevious: true },
  )
  // One that may not be opened cannot be chosen.
  const items = term && matches.data ? matches.data.filter(({ visible }) => visible !== false) : []
  const entity = entityOf(contract, existing.search)
  const choices = items.map((item) => {
    const { name, details } = describeFound(entity, existing, item)
    const marks = item[existing.marks ?? '']
    return { value: item.id, label: name, about: details, why: reasonsOf(existing, item), marks }
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    isEnterDown.current = true
  }
  // Wait for keyup: otherwise the button that is focused next would handle the keyup of Enter.
  const onKeyUp = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    isEnterDown.current = false
    if (chosen.current !== undefined) onChoose(chosen.current)
  }
  const choose = (value: number) => {
    if (isEnterDown.current) chosen.current = value
    else onChoose(value)
  }
  return (
    <div className="combobox existing-search">
      <label htmlFor={id}>Find the {existing.label} by name or ID</label>
      <Typeahead
        id={id}
        label={`Found ${existing.label}s`}
        text={text}
        choices={choices}
        status={() => statusOf(text.trim(), term, matches.isFetching, items.length, existing.label)}
        input={{
          leftIcon: 'search',
          'aria-invalid': isWrong || undefined,
          'aria-describedby': describedBy,
          onKeyDown,
          onKeyUp,
        }}
        onText={setText}
        onChoose={({ value }) => choose(Number(value))}
      />
    </div>
  )
}

function statusOf(typed: string, term: string, isFetching: boolean, count: number, label: string): string {
  if (!typed) return ''
  if (typed !== term || isFetching) return 'Searching…'
  if (count === 0) return `No ${label}s match`
  return count === 1 ? `1 ${label} found` : `${count} ${label}s found`
}
