import { Button } from '@blueprintjs/core'
import { type FormEvent, type Ref, useEffect, useId, useState } from 'react'
import { FilterField } from './FilterField.tsx'
import type { Filter } from './filters.ts'

type Texts = Record<string, string>

/** The filters of a list; nothing happens before they are applied. */
export function Filters({
  ref,
  filters,
  applied,
  onApply,
}: {
  ref: Ref<HTMLFormElement>
  filters: Filter[]
  applied: Texts
  onApply: (texts: Texts) => void
}) {
  const id = useId()
  const [texts, setTexts] = useState(applied)
  // By value: a contract that is swapped while developing makes the same filters anew, and what is typed stays.
  const appliedText = JSON.stringify(applied)
  useEffect(() => setTexts(JSON.parse(appliedText)), [appliedText])
  const apply = (event: FormEvent) => {
    event.preventDefault()
    onApply(Object.fromEntries(filters.map(({ name }) => [name, texts[name]?.trim() ?? ''])))
  }
  return (
    <form ref={ref} className="list-filters" aria-label="Filters" onSubmit={apply} noValidate>
      {filters.map((filter) => (
        <FilterField
          key={filter.name}
          id={`${id}-${filter.name}`}
          filter={filter}
          text={texts[filter.name] ?? ''}
          onChange={(text) => setTexts({ ...texts, [filter.name]: text })}
        />
      ))}
      <Button type="submit" intent="primary" text="Apply filters" />
    </form>
  )
}
