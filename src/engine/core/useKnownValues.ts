import { type QueryCache, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { entityOfCall } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Entity } from '../../contract/generated.ts'
import { isPlainObject, type Values } from '../../contract/when.ts'
import { useContract } from './contract.ts'

/**
 * Values of a record from cached lists while it is loading, for its title and for related reads; undefined if no list
 * has it. They may be stale, so they must not be edited.
 */
export function useKnownValues(read: string | undefined, id: unknown): Values | undefined {
  const contract = useContract()
  const cache = useQueryClient().getQueryCache()
  return useMemo(() => knownValues(contract, cache, read, id), [contract, cache, read, id])
}

/** The same outside of React, for a page that is not rendered yet. */
export function knownValues(
  contract: Contract,
  cache: QueryCache,
  read: string | undefined,
  id: unknown,
): Values | undefined {
  const entity = contract.entities[entityOfCall(contract, read ?? '') ?? '']
  if (!entity || id === undefined) return undefined
  for (const { queryKey, state } of cache.findAll({ queryKey: ['call'] }).toReversed()) {
    const rowEntity = contract.entities[entityOfCall(contract, String(queryKey[1])) ?? '']
    const rows = isPlainObject(state.data) && state.data.data
    const key = rowEntity && idIn(rowEntity, entity)
    const row = key && Array.isArray(rows) && rows.find((one) => String(one[key]) === String(id))
    if (row) return key === 'id' ? row : sharedValues(contract, rowEntity, row)
  }
  return undefined
}

/** The property of a row that contains the record's id: its own, or a reference. */
function idIn({ $id, properties }: Entity, { $id: record }: Entity): string | undefined {
  if ($id === record || $id === `${record}Row`) return 'id'
  return Object.keys(properties).find((name) => properties[name].ref === record)
}

/** Values of a row that only refers to the record: shared parents, such as the client of an issue and of its case. */
function sharedValues({ entities }: Contract, { $id, properties }: Entity, row: Values): Values {
  const above = Object.keys(properties).filter((name) => name in entities && name !== $id)
  const names = above.flatMap((name) => [name, `${name}_name`])
  return Object.fromEntries(names.filter((name) => name in row).map((name) => [name, row[name]]))
}
