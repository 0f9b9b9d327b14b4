import type { Entity } from '../../contract/types.ts'
import { isSet, type Values } from '../../contract/when.ts'
import type { Call } from '../call.ts'
import { fieldProblem, type Problem } from '../problems.ts'
import { fetch } from './read.ts'

/** Throws the 404 where the path names a parent that this person may not see. */
export async function parentOf(call: Call, entity: Entity): Promise<void> {
  const { by } = call.endpoint
  const ref = by && entity.properties[by]?.ref
  if (ref) await fetch(call, call.contract.entities[ref], call.params.id)
}

/** Refuses values that name another record which is not there, or which this person may not see. */
export async function refuseUnseen(call: Call, entity: Entity, values: Values): Promise<void> {
  for (const [name, { ref, title }] of Object.entries(entity.properties)) {
    if (!ref || !isSet(values[name])) continue
    await fetch(call, call.contract.entities[ref], values[name]).catch((error: Problem) => {
      if (error.statusCode !== 404) throw error
      throw fieldProblem({ [name]: [`${title} must be one that you may see`] })
    })
  }
}
