import { useEffect, useState } from 'react'
import { formatLifespan } from '../../contract/lifespan.ts'
import { QUICK_SEARCH_DEBOUNCE_MS } from '../../contract/limits.ts'
import type { NumberedRecord, QuickClient } from '../../contract/types/entities.ts'
import { useRead } from '../../engine/core/calls.ts'
import { formatDate } from '../../engine/core/dates.ts'
import { today } from '../../engine/core/today.ts'

export type FoundClient = QuickClient

export type FoundRecord = NumberedRecord & { kind: 'case' | 'issue' }

interface Search {
  /** Undefined if the term is the number of a case or issue, such as 'case 214'. */
  clients?: FoundClient[]
  /** Cases and issues whose number is the term. */
  records?: FoundRecord[]
  searching: boolean
  /** Searches at once, without the debounce. */
  searchNow: () => void
}

/** A number with an optional prefix: '214', '#214', 'case 214'. */
const NUMBER = /^(?<what>case|issue|#)?\s*#?\s*(?<digits>\d{1,9})$/i

/**
 * Clients that match a term, and cases and issues with its number, debounced by QUICK_SEARCH_DEBOUNCE_MS. While a
 * search is running, the previous results.
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
  const ofClients = useRead<FoundClient[]>(
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
  // A toast shows the error itself.
  const isError = reads.some((read) => read.isError)
  const isOfKind = ({ kind }: FoundRecord) => !what || what === '#' || what.toLowerCase() === kind
  return {
    clients: isClient && !isError ? ofClients.data : undefined,
    records: digits && !isError ? ofRecords.data?.filter(isOfKind) : undefined,
    searching: (trimmed !== debouncedTerm || isOld) && !isError,
    searchNow,
  }
}

export function clientName({ first_name, last_name }: FoundClient): string {
  return [first_name, last_name].filter(Boolean).join(' ')
}

/** Date of birth, age, or the age at death, and id, which distinguish clients of the same name. */
export function clientDetails({ id, dob, dod }: FoundClient): string {
  const life = formatLifespan({ born: dob, died: dod, today: today(), formatDate })
  return `${dob ? `Born ${life}` : ['Date of birth not known', life].filter(Boolean).join(', ')} · ID ${id}`
}
