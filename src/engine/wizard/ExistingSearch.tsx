import { InputGroup } from '@blueprintjs/core'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import type { Existing } from '../../contract/types.ts'
import type { Values } from '../../contract/when.ts'
import { useRead } from '../calls.ts'
import { useContract } from '../contract.ts'
import { entityOf } from '../entityOf.ts'
import { namesOf } from './people.ts'

const WAIT = 300

interface Props {
  existing: Existing
  isWrong: boolean
  describedBy?: string
  onChoose: (id: number) => void
}

/** A search box whose findings come up while typing: arrows move among them, Enter chooses, Escape closes. */
export function ExistingSearch({ existing, isWrong, describedBy, onChoose }: Props) {
  const contract = useContract()
  const id = useId()
  const [text, setText] = useState('')
  const [term, setTerm] = useState('')
  const [at, setAt] = useState(-1)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setTerm(text.trim()), WAIT)
    return () => clearTimeout(timer)
  }, [text])
  const found = useRead<Values[]>(term ? existing.search : undefined, { query: { term } }, { keep: true })
  const items = term && found.data ? found.data : []
  const entity = entityOf(contract, existing.search)
  const isShown = isOpen && items.length > 0
  const press = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move && items.length > 0) {
      event.preventDefault()
      setOpen(true)
      setAt((before) => (before + move + items.length) % items.length)
    }
    if (event.key === 'Escape') setOpen(false)
    if (event.key === 'Enter') event.preventDefault()
  }
  // Not before the key is let go: the button that has the focus afterwards would take that for its own.
  const release = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && isShown && items[at]) onChoose(Number(items[at].id))
  }
  return (
    <div className="existing-search">
      <label htmlFor={id}>Find the {existing.label} by name or ID</label>
      <InputGroup
        id={id}
        leftIcon="search"
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-activedescendant={isShown && at >= 0 ? `${id}-${at}` : undefined}
        aria-invalid={isWrong || undefined}
        aria-describedby={describedBy}
        value={text}
        onValueChange={(value) => {
          setText(value)
          setAt(-1)
          setOpen(true)
        }}
        onKeyDown={press}
        onKeyUp={release}
        onBlur={() => setOpen(false)}
      />
      <div role="listbox" id={`${id}-list`} aria-label={`Found ${existing.label}s`} hidden={!isShown}>
        {items.map((item, i) => {
          const { name, details } = namesOf(entity, item)
          return (
            <div
              key={String(item.id)}
              id={`${id}-${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={i === at}
              className={i === at ? 'existing-item existing-item-active' : 'existing-item'}
              // Before the box is left, which would close the list.
              onMouseDown={(event) => {
                event.preventDefault()
                onChoose(Number(item.id))
              }}
            >
              <span>{name}</span>
              <span className="existing-details">{details}</span>
            </div>
          )
        })}
      </div>
      <p role="status">{statusOf(text.trim(), term, found.isFetching, items.length, existing.label)}</p>
    </div>
  )
}

function statusOf(typed: string, term: string, isFetching: boolean, count: number, label: string): string {
  if (!typed) return ''
  if (typed !== term || isFetching) return 'Searching…'
  if (count === 0) return `No ${label}s match`
  return count === 1 ? `1 ${label} found` : `${count} ${label}s found`
}
