import { useEffect, useState } from 'react'
import { useRead } from '../../engine/calls.ts'

const DEBOUNCE = 300

/** A client as the quick search answers. */
export interface Found {
  id: number
  first_name: string | null
  last_name: string | null
  dob: string | null
}

/** Clients that match a term once it has stood for DEBOUNCE milliseconds; those of the term before while it is looked for. */
export function useClients(term: string): { clients?: Found[]; searching: boolean } {
  const wanted = term.trim()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), wanted ? DEBOUNCE : 0)
    return () => clearTimeout(timer)
  }, [wanted])
  const { data, isPlaceholderData, isPending, isError } = useRead<Found[]>(
    asked ? 'search.quick' : undefined,
    { query: { term: asked } },
    { keep: true },
  )
  if (!wanted) return { searching: false }
  const searching = wanted !== asked || isPending || isPlaceholderData
  // The failure itself is told by a toast.
  return { clients: asked && !isError ? data : undefined, searching: searching && !isError }
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
