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

interface Search {
  clients?: Found[]
  searching: boolean
  /** Looks for the term without waiting. */
  searchNow: () => void
}

/** Clients that match a term once it has stood for QUICK_SEARCH_DEBOUNCE_MS; those of the term before while it is looked for. */
export function useClients(term: string): Search {
  const trimmed = term.trim()
  const [debouncedTerm, setDebouncedTerm] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedTerm(trimmed), trimmed ? QUICK_SEARCH_DEBOUNCE_MS : 0)
    return () => clearTimeout(timer)
  }, [trimmed])
  const { data, isPlaceholderData, isPending, isError } = useRead<Found[]>(
    debouncedTerm ? 'search.quick' : undefined,
    { query: { term: debouncedTerm } },
    { keepPrevious: true },
  )
  const searchNow = () => setDebouncedTerm(trimmed)
  if (!trimmed) return { searching: false, searchNow }
  const searching = trimmed !== debouncedTerm || isPending || isPlaceholderData
  // The failure itself is told by a toast.
  return {
    clients: debouncedTerm && !isError ? data : undefined,
    searching: searching && !isError,
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
