import { useQueryClient } from '@tanstack/react-query'
import type { AssignScreen } from '../../../contract/generated.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import { makeCall, readKey } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import type { ListReply, Row } from '../../core/results.ts'
import type { Choice } from '../../form/widgets/Typeahead.tsx'

const PAGE_SIZE = 100

/**
 * The rows that a choice may be assigned to, with one request per distinct filter. If the request fails they count
 * as eligible, because the saving call validates them anyway.
 */
export function useEligibleRows(assignment: AssignQuestion): (rows: Row[], choice: Choice) => Promise<Row[]> {
  const contract = useContract()
  const client = useQueryClient()
  return async (rows, { value, label }) => {
    const byParameters = new Map<string, Row[]>()
    for (const row of rows) {
      const key = JSON.stringify(choiceParameters(assignment, row))
      byParameters.set(key, [...(byParameters.get(key) ?? []), row])
    }
    const eligible = [...byParameters].map(async ([key, rows]) => {
      const options = { query: { ...JSON.parse(key), page_size: PAGE_SIZE, term: label } }
      const queryKey = readKey(assignment.from, options)
      const queryFn = () => makeCall<ListReply>(contract, assignment.from, options)
      const found = await client.fetchQuery({ queryKey, queryFn }).catch(() => undefined)
      return !found || found.data.some(({ id }) => id === value) ? rows : []
    })
    return (await Promise.all(eligible)).flat()
  }
}

export type AssignQuestion = AssignScreen['assignment']

/** Query parameters by which the values of a row filter its choices. */
export function choiceParameters({ narrow = {} }: AssignQuestion, row: Row): Values {
  const entries = Object.entries(narrow).map(([name, field]) => [name, row[field]])
  return Object.fromEntries(entries.filter(([, value]) => isSet(value)))
}
