import { Button } from '@blueprintjs/core'
import { type FormEvent, type Ref, useEffect, useId, useRef, useState } from 'react'
import { kindOf } from '../../../contract/listFilters.ts'
import { relativeWords } from '../../../contract/relativeDay.ts'
import { formatDate } from '../../core/dates.ts'
import { TagButton } from '../../core/TagButton.tsx'
import { Answers, choiceLabel, FilterField, flagLabel, useFilterChoices } from './FilterField.tsx'
import type { Filter } from './state/filters.ts'

type Texts = Record<string, string>

/** The filter form of a list; changes are applied on submit. */
export function Filters({
  ref,
  filters,
  applied,
  submitText,
  onApply,
}: {
  ref: Ref<HTMLFormElement>
  filters: Filter[]
  applied: Texts
  submitText: string
  onApply: (texts: Texts) => void
}) {
  const id = useId()
  const [texts, setTexts] = useState(applied)
  // A control may flush its text during the submit event.
  const latest = useRef(texts)
  latest.current = texts
  // Compare by value: hot reloading creates equal filters, and typed text must stay.
  const appliedText = JSON.stringify(applied)
  useEffect(() => setTexts(JSON.parse(appliedText)), [appliedText])
  const apply = (event: FormEvent) => {
    event.preventDefault()
    onApply(Object.fromEntries(filters.map(({ name }) => [name, latest.current[name]?.trim() ?? ''])))
  }
  return (
    <form ref={ref} className="list-filters" aria-label="Filters" onSubmit={apply} noValidate>
      {filters.map((filter) => (
        <FilterField
          key={filter.name}
          id={`${id}-${filter.name}`}
          filter={filter}
          text={texts[filter.name] ?? ''}
          onChange={(text) => {
            latest.current = { ...latest.current, [filter.name]: text }
            setTexts(latest.current)
          }}
        />
      ))}
      <Button type="submit" intent="primary" text={submitText} />
    </form>
  )
}

/** The applied filters as tags, which can be removed one by one. */
export function FilterTags({
  filters,
  applied,
  relative,
  onApply,
}: {
  filters: Filter[]
  applied: Texts
  /** The same values as in the URL, such as '-7d'. */
  relative: Texts
  onApply: (texts: Record<string, string>) => void
}) {
  const on = filters.filter(({ name, needed }) => name in applied && !needed)
  if (on.length === 0) return null
  return (
    <ul className="list-tags" aria-label="Filtered by">
      {on.map((filter) =>
        kindOf(filter) === 'answers' ? (
          <Answers
            isTags
            key={filter.name}
            id={filter.name}
            filter={filter}
            text={applied[filter.name]}
            onChange={(text) => onApply({ [filter.name]: text })}
          />
        ) : (
          <li key={filter.name}>
            <FilterTag
              filter={filter}
              text={applied[filter.name]}
              relative={relative[filter.name]}
              onRemove={() => onApply({ [filter.name]: '' })}
            />
          </li>
        ),
      )}
      <li>
        <Button
          variant="minimal"
          size="small"
          text="Clear filters"
          onClick={() => onApply(cleared(filters))}
        />
      </li>
    </ul>
  )
}

/** Texts that clear all filters; a required filter gets its default. */
export function cleared(filters: Filter[]): Record<string, string> {
  return Object.fromEntries(filters.map((filter) => [filter.name, (filter.needed && filter.default) || '']))
}

interface TagProps {
  filter: Filter
  text: string
  relative: string
  onRemove: () => void
}

function FilterTag({ filter, text, relative, onRemove }: TagProps) {
  const { choices } = useFilterChoices(filter, text)
  const value = kindOf(filter) === 'date' ? formatDate(text) : choiceLabel(filter, choices, text)
  const label = relative === text ? value : `${value} (${relativeWords(relative)})`
  const words = kindOf(filter) === 'flag' ? flagLabel(filter) : `${filter.title}: ${label}`
  return <TagButton words={words} onRemove={onRemove} />
}
