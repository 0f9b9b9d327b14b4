import type { Entity } from '../../../contract/generated.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import { fieldProblem, type Problem } from '../../core/problems.ts'
import { refuseMerged } from '../merged/mergedRecords.ts'
import { fetch } from './read.ts'

/** Throws the 404 if the parent in the path is not visible: a record, or a person whose rows these are. */
export async function requireParent(call: Call, entity: Entity): Promise<void> {
  const { by } = call.endpoint
  const { ref, lookup } = (by && entity.properties[by]) || {}
  const parent = ref ?? (lookup === 'staff' ? lookup : undefined)
  if (parent) await fetch(call, call.contract.entities[parent], call.params.id)
}

/** Refuses references to records that do not exist, are not visible, or belong to another parent. */
export async function refuseInvisibleRefs(call: Call, entity: Entity, values: Values): Promise<void> {
  const refs = refsOf(call, entity, values)
  for (const [name, { ref, title }] of Object.entries(entity.properties)) {
    if (!ref || !isSet(values[name])) continue
    const found = await fetch(call, call.contract.entities[ref], values[name]).catch(
      async (error: Problem) => {
        if (error.statusCode !== 404) throw error
        await refuseMerged(call, ref, values[name])
        throw fieldProblem({ [name]: [`${title} must be one that you may see`] })
      },
    )
    const elsewhere = Object.keys(refs).find(
      (other) => isSet(refs[other]) && (found[other] ?? refs[other]) !== refs[other],
    )
    if (elsewhere)
      throw fieldProblem({
        [name]: [`${title} must be one of this ${entity.properties[elsewhere].title.toLowerCase()}`],
      })
  }
}

/** The references of a new record, in its body or by its path. */
function refsOf({ endpoint: { by }, params }: Call, { properties }: Entity, values: Values): Values {
  const named = Object.entries({ ...values, ...(by && { [by]: params.id }) })
  return Object.fromEntries(named.filter(([name]) => properties[name]?.ref))
}
