import { type QueryCache, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { entityOfCall } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Entity } from '../../contract/generated.ts'
import { isPlainObject, type Values } from '../../contract/when.ts'
import { useContract } from './contract.ts'

/**
 * What the lists read so far say of a record that is still being read, for its title and for what is read beside it;
 * undefined where none names it. It may be old: never a value to be edited.
 */
export function useKnownValues(read: string | undefined, id: unknown): Values | undefined {
  const contract = useContract()
  const cache = useQueryClient().getQueryCache()
  return useMemo(() => knownValues(contract, cache, read, id), [contract, cache, read, id])
}

/** The same of a page that is not there yet. */
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

/** The property of a row that holds a record's id: its own, or a reference. */
function idIn({ $id, properties }: Entity, { $id: record }: Entity): string | undefined {
  if ($id === record || $id === `${record}Row`) return 'id'
  return Object.keys(properties).find((name) => properties[name].ref === record)
}

/** Of a row that only refers to the record: what lies above both, such as the client of an issue and of its case. */
function sharedValues({ entities }: Contract, { $id, properties }: Entity, row: Values): Values {
  const above = Object.keys(properties).filter((name) => name in entities && name !== $id)
  const names = above.flatMap((name) => [name, `${name}_name`])
  return Object.fromEntries(names.filter((name) => name in row).map((name) => [name, row[name]]))
}
