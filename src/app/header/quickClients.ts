import { useEffect, useState } from 'react'
import { QUICK_SEARCH_DEBOUNCE_MS } from '../../contract/limits.ts'
import { useRead } from '../../engine/runtime/calls.ts'

/** A client as the quick search answers. */
export interface Found {
  id: number
  first_name: string | null
  last_name: string | null
  dob: string | null
}

/** A case or issue as the quick search answers. */
export interface FoundRecord {
  kind: 'case' | 'issue'
  id: number
  case: number
  client_name: string | null
  type_label: string | null
}

interface Search {
  /** None where the term says that it is the number of something else. */
  clients?: Found[]
  /** Cases and issues of the number that the term is. */
  records?: FoundRecord[]
  searching: boolean
  /** Looks for the term without waiting. */
  searchNow: () => void
}

/** A number, alone or said to be that of a case or issue: '214', '#214', 'case 214'. */
const NUMBER = /^(?<what>case|issue|#)?\s*#?\s*(?<digits>\d{1,9})$/i

/**
 * Clients that match a term, and cases and issues of its number, once it has stood for QUICK_SEARCH_DEBOUNCE_MS; those
 * of the term before while it is looked for.
 */
export function useQuickSearch(term: string): Search {
  const trimmed = term.trim()
  const [debouncedTerm, setDebouncedTerm] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedTerm(trimmed), trimmed ? QUICK_SEARCH_DEBOUNCE_MS : 0)
    return () => clearTimeout(timer)
  }, [trimmed])
  const { what, digits } = NUMBER.exec(debouncedTerm)?.groups ?? {}
  const isClient = debouncedTerm !== '' && what === undefined
  const ofClients = useRead<Found[]>(
    isClient ? 'search.quick' : undefined,
    { query: { term: debouncedTerm } },
    { keepPrevious: true },
  )
  const ofRecords = useRead<FoundRecord[]>(
    digits ? 'search.numbered' : undefined,
    { query: { number: digits } },
    { keepPrevious: true },
  )
  const searchNow = () => setDebouncedTerm(trimmed)
  if (!trimmed) return { searching: false, searchNow }
  const reads = [...(isClient ? [ofClients] : []), ...(digits ? [ofRecords] : [])]
  const isOld = reads.some(({ isPending, isPlaceholderData }) => isPending || isPlaceholderData)
  // The failure itself is told by a toast.
  const isError = reads.some((read) => read.isError)
  const isOfKind = ({ kind }: FoundRecord) => !what || what === '#' || what.toLowerCase() === kind
  return {
    clients: isClient && !isError ? ofClients.data : undefined,
    records: digits && !isError ? ofRecords.data?.filter(isOfKind) : undefined,
    searching: (trimmed !== debouncedTerm || isOld) && !isError,
    searchNow,
  }
}

/** First and last name. */
export function foundName({ first_name, last_name }: Found): string {
  return [first_name, last_name].filter(Boolean).join(' ')
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** What tells people of the same name apart. */
export function foundAbout({ id, dob }: Found): string {
  return `${dob ? `Born ${DAY.format(new Date(dob))}` : 'Date of birth not known'} · ID ${id}`
}
