import { verbOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Entity } from '../../contract/generated.ts'

/** The entity that a call returns: its `reply`, or that of its verb. */
export function entityOf(contract: Contract, call: string): Entity {
  const endpoint = contract.endpoints[call]
  const name = endpoint && (endpoint.reply ?? verbOf(endpoint)?.entity)
  const entity = name && contract.entities[name]
  if (!entity) throw new Error(`${call} does not say which entity it replies with`)
  return entity
}
