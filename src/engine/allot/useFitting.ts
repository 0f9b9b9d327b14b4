import { useQueryClient } from '@tanstack/react-query'
import { makeCall, readKey } from '../calls.ts'
import { useContract } from '../contract.ts'
import type { ListReply, Row } from '../list/results.ts'
import type { Choice } from '../widgets/Typeahead.tsx'
import { type Asked, narrowed } from './narrowed.ts'

const MOST = 100

/**
 * The rows that a choice is offered for: asked once for all rows that narrow alike. Where that cannot be asked they count
 * as fitting, for the call that saves judges them in any case.
 */
export function useFitting(assignment: Asked): (rows: Row[], choice: Choice) => Promise<Row[]> {
  const contract = useContract()
  const client = useQueryClient()
  return async (rows, { value, label }) => {
    const alike = new Map<string, Row[]>()
    for (const row of rows) {
      const key = JSON.stringify(narrowed(assignment, row))
      alike.set(key, [...(alike.get(key) ?? []), row])
    }
    const fitting = [...alike].map(async ([key, some]) => {
      const given = { query: { ...JSON.parse(key), page_size: MOST, term: label } }
      const queryKey = readKey(assignment.from, given)
      const queryFn = () => makeCall<ListReply>(contract, assignment.from, given)
      const found = await client.fetchQuery({ queryKey, queryFn }).catch(() => undefined)
      return !found || found.data.some(({ id }) => id === value) ? some : []
    })
    return (await Promise.all(fitting)).flat()
  }
}
