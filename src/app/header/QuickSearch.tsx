import { Classes, Icon, InputGroup } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, lazy, type RefObject, Suspense, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { trackFocus } from '../../engine/page/focusTracking.ts'
import { isPageShortcut } from '../../engine/runtime/shortcuts.ts'
import type { Choice } from '../../engine/widgets/Typeahead.tsx'
import { MESSAGES } from '../messages.ts'
import { onceIdle } from '../onceIdle.ts'
import { type Found, type FoundRecord, foundAbout, foundName, useQuickSearch } from './quickClients.ts'

// A page does not wait for the library of its combobox.
const Palette = lazy(() => import('./Palette.tsx'))

/** Finds a client by name or number, and a case or issue by its number, while the person types, at once by Enter. */
export function QuickSearch() {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [term, setTerm] = useState('')
  // Somebody was in the box before it could list anything.
  const [isEarly, setEarly] = useState(false)
  const [isIdle, setIdle] = useState(false)
  const queries = useQueryClient()
  useEffect(() => onceIdle(queries, () => setIdle(true)), [queries])
  const { clients, records, searching, searchNow } = useQuickSearch(term)
  const leave = useSearchShortcut(input)
  const status = searching ? MESSAGES.searching : countOf(clients, records)
  const clear = (isOpen: boolean) => {
    if (!isOpen) {
      setTerm('')
      if (!term) leave()
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
  const plain = (
    <InputGroup
      {...box}
      id={id}
      value={term}
      onValueChange={setTerm}
      onFocus={() => setEarly(true)}
      autoFocus={isEarly}
    />
  )
  return (
    <search className="quick-search">
      <label className="visually-hidden" htmlFor={id}>
        Find a client
      </label>
      <span className="visually-hidden" id={`${id}-help`}>
        {MESSAGES.searchHelp}
      </span>
      {isIdle || isEarly ? (
        <Suspense fallback={plain}>
          <Palette
            id={id}
            term={term}
            found={[...(clients?.map(choiceOfClient) ?? []), ...(records?.map(choiceOfRecord) ?? [])]}
            status={status}
            isSearching={searching}
            input={{ ...box, autoFocus: isEarly }}
            onText={setTerm}
            onEscape={clear}
          />
        </Suspense>
      ) : (
        plain
      )}
      <Link
        className={`${Classes.BUTTON} ${Classes.MINIMAL}`}
        to="/search"
        aria-label={MESSAGES.advancedSearch}
        title={MESSAGES.advancedSearch}
      >
        <Icon icon="filter" aria-hidden />
      </Link>
    </search>
  )
}

function choiceOfClient(client: Found): Choice {
  const value = { to: `/clients/${client.id}` }
  return { value, label: foundName(client), about: foundAbout(client), group: 'Clients' }
}

function choiceOfRecord({ kind, id, case: caseId, client_name, type_label }: FoundRecord): Choice {
  const of = kind === 'case' ? `Case ${id}` : `Issue ${id}`
  return {
    value: { to: kind === 'case' ? `/cases/${id}` : `/cases/${caseId}/issues/${id}` },
    label: [of, client_name].filter(Boolean).join(': '),
    about: type_label ?? undefined,
    group: 'Cases and issues',
  }
}

function countOf(clients?: Found[], records?: FoundRecord[]): string | undefined {
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

/** `/` and Ctrl+K lead to a box from everywhere on the page; the function that it answers leads back. */
function useSearchShortcut(input: RefObject<HTMLInputElement | null>): () => void {
  const before = useRef<ReturnType<typeof trackFocus>>(undefined)
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      const isControlK = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k'
      if (!isControlK && !(event.key === '/' && isPageShortcut(event))) return
      event.preventDefault()
      // The list opens with the focus, also where it was closed in the box.
      if (document.activeElement === input.current) input.current?.blur()
      else before.current = trackFocus()
      input.current?.focus()
      input.current?.select()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [input])
  return () => {
    before.current?.restore(input.current)
    before.current = undefined
  }
}
