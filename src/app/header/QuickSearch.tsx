import { InputGroup } from '@blueprintjs/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { MESSAGES } from '../messages.ts'
import { type Found, foundAbout, foundName, useClients } from './quickClients.ts'
import { useSearchKeys } from './searchKeys.ts'

/** Finds a client by name or number while the person types, and opens the one that is chosen. */
export function QuickSearch() {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const [term, setTerm] = useState('')
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const { clients, searching } = useClients(term)
  useSearchKeys(input)

  const status = searching ? MESSAGES.searching : clients && countOf(clients)
  const shown = open && status !== undefined
  const options = shown ? (clients ?? []) : []
  const at = Math.min(active, options.length - 1)
  const optionId = (index: number) => `${id}-option-${index}`
  useEffect(() => {
    if (at >= 0) document.getElementById(`${id}-option-${at}`)?.scrollIntoView?.({ block: 'nearest' })
  }, [id, at])

  const type = (value: string) => {
    setTerm(value)
    setActive(-1)
    setOpen(true)
  }
  const choose = (client: Found | undefined) => {
    if (!client) return
    type('')
    setOpen(false)
    navigate(`/clients/${client.id}`)
  }
  const keys: Record<string, () => void> = {
    ArrowDown: () => (shown ? setActive(options.length > 0 ? (at + 1) % options.length : -1) : setOpen(true)),
    ArrowUp: () => setActive(at <= 0 ? options.length - 1 : at - 1),
    // Rows of the term before are not what is meant.
    Enter: () => !searching && choose(options[Math.max(at, 0)]),
    Escape: () => (shown ? setOpen(false) : type('')),
  }
  const press = (event: KeyboardEvent) => {
    if (!keys[event.key] || (term === '' && event.key !== 'Escape')) return
    event.preventDefault()
    event.stopPropagation()
    keys[event.key]()
  }

  return (
    <search className="quick-search" onBlur={() => setOpen(false)}>
      <label className="visually-hidden" htmlFor={id}>
        Find a client
      </label>
      <span className="visually-hidden" id={`${id}-help`}>
        {MESSAGES.searchHelp}
      </span>
      <InputGroup
        id={id}
        inputRef={input}
        type="search"
        leftIcon="search"
        placeholder={MESSAGES.searchHelp}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={`${id}-list`}
        aria-activedescendant={at >= 0 ? optionId(at) : undefined}
        aria-describedby={`${id}-help`}
        value={term}
        onValueChange={type}
        onFocus={() => setOpen(true)}
        onKeyDown={press}
      />
      <div className="quick-found" hidden={!shown}>
        <p role="status">{shown ? status : ''}</p>
        {/* The focus stays in the box; a press on a row must not take it away. */}
        <div
          id={`${id}-list`}
          role="listbox"
          tabIndex={-1}
          aria-label="Clients"
          onMouseDown={(e) => e.preventDefault()}
        >
          {options.map((client, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box
            <div
              key={client.id}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              className={searching ? 'stale' : undefined}
              onClick={() => choose(client)}
            >
              <span>{foundName(client)}</span>
              <small>{foundAbout(client)}</small>
            </div>
          ))}
        </div>
      </div>
    </search>
  )
}

function countOf(clients: Found[]): string {
  if (clients.length === 0) return MESSAGES.noClients
  return clients.length === 1 ? '1 client' : `${clients.length} clients`
}
