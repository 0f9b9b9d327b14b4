import { InputGroup } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useId, useRef, useState } from 'react'
import { formatDate } from '../../engine/core/dates.ts'
import { trackFocus } from '../../engine/core/focusTracking.ts'
import { loadable } from '../../engine/core/loadable.tsx'
import { isPageShortcut } from '../../engine/core/shortcuts.ts'
import type { Choice } from '../../engine/form/widgets/Typeahead.tsx'
import { MESSAGES } from '../core/messages.ts'
import { onceIdle } from '../core/onceIdle.ts'
import {
  clientDetails,
  clientName,
  type FoundClient,
  type FoundRecord,
  useQuickSearch,
} from './useQuickSearch.ts'

// Lazy, so that the page does not wait for the code of the combobox.
const Palette = loadable(() => import('./Palette.tsx'))

/** Searches clients by name or number, and cases and issues by number, as the user types; Enter skips the debounce. */
export function QuickSearch() {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [term, setTerm] = useState('')
  const [isLoaded, setLoaded] = useState(false)
  // The combobox takes the focus over from the plain input.
  const [isInputFocused, setInputFocused] = useState(false)
  const queries = useQueryClient()
  // If the code fails to load, the plain input stays, and loads it again on the next focus.
  const load = useCallback(() => {
    Palette.preload().then(
      () => setLoaded(true),
      () => undefined,
    )
  }, [])
  useEffect(() => onceIdle(queries, load), [queries, load])
  const { clients, records, searching, searchNow } = useQuickSearch(term)
  const restoreFocus = useSearchShortcut(input)
  const status = searching ? MESSAGES.searching : countOf(clients, records)
  const clear = (isOpen: boolean) => {
    if (!isOpen) {
      setTerm('')
      restoreFocus()
    }
    return true
  }
  const box = {
    inputRef: input,
    type: 'search',
    leftIcon: 'search',
    placeholder: MESSAGES.searchHelp,
    maxLength: 100,
    'aria-describedby': `${id}-help`,
    onKeyDown: ({ key, nativeEvent }: KeyboardEvent) => {
      if (key === 'Enter' && !nativeEvent.isComposing) searchNow()
    },
  } as const
  return (
    <search className="quick-search">
      <label className="visually-hidden" htmlFor={id}>
        Find a client
      </label>
      <span className="visually-hidden" id={`${id}-help`}>
        {MESSAGES.searchHelp}
      </span>
      {isLoaded ? (
        <Palette
          id={id}
          term={term}
          found={[...(clients?.map(choiceOfClient) ?? []), ...(records?.map(choiceOfRecord) ?? [])]}
          status={status}
          isSearching={searching}
          input={{ ...box, autoFocus: isInputFocused }}
          onText={setTerm}
          onEscape={clear}
        />
      ) : (
        <InputGroup
          {...box}
          id={id}
          value={term}
          onValueChange={setTerm}
          onFocus={() => {
            setInputFocused(true)
            load()
          }}
          onBlur={() => setInputFocused(false)}
        />
      )}
    </search>
  )
}

function choiceOfClient(client: FoundClient): Choice {
  const value = { to: `/clients/${client.id}` }
  return {
    value,
    label: clientName(client),
    about: clientDetails(client),
    marks: client.alerts,
    group: 'Clients',
  }
}

function choiceOfRecord({
  kind,
  id,
  case: caseId,
  client_name,
  client_dod,
  type_label,
  alerts,
}: FoundRecord): Choice {
  const of = kind === 'case' ? `Case ${id}` : `Issue ${id}`
  return {
    value: { to: kind === 'case' ? `/cases/${id}` : `/cases/${caseId}/issues/${id}` },
    label: [of, client_name].filter(Boolean).join(': '),
    about:
      [type_label, client_dod && `client died ${formatDate(client_dod)}`].filter(Boolean).join(', ') ||
      undefined,
    marks: alerts,
    group: 'Cases and issues',
  }
}

function countOf(clients?: FoundClient[], records?: FoundRecord[]): string | undefined {
  if (!clients && records?.length === 0) return MESSAGES.noRecords
  if (clients?.length === 0 && !records?.length) return MESSAGES.noClients
  const counts = [
    clients?.length && many(clients.length, 'client', 'clients'),
    records?.length && many(records.length, 'case or issue', 'cases and issues'),
  ]
  return counts.filter(Boolean).join(', ') || undefined
}

function many(n: number, one: string, several: string): string {
  return `${n} ${n === 1 ? one : several}`
}

/** `/` and Ctrl+K focus the input from anywhere on the page; the returned function restores the focus. */
function useSearchShortcut(input: RefObject<HTMLInputElement | null>): () => void {
  const previousFocus = useRef<ReturnType<typeof trackFocus>>(undefined)
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      const isControlK = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k'
      if (!isControlK && !(event.key === '/' && isPageShortcut(event))) return
      event.preventDefault()
      // The list opens on focus, so blur first if the input is focused and the list is closed.
      if (document.activeElement === input.current) input.current?.blur()
      else previousFocus.current = trackFocus()
      input.current?.focus()
      input.current?.select()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [input])
  return () => {
    previousFocus.current?.restore(input.current)
    previousFocus.current = undefined
    // Nothing had the focus before, or the person clicked into the input.
    if (document.activeElement === input.current) input.current?.blur()
  }
}
