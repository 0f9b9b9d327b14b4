import { callOf, isWrite } from '../../contract/call.ts'
import type { Call } from '../core/call.ts'
import { asProblem, problem } from '../core/problems.ts'
import { MERGEABLE, type Mergeable, visibleRemaining } from '../records/merged/mergedRecords.ts'

/** Paths whose {id} is the number of a client or case. */
const PATHS: Record<Mergeable, RegExp> = {
  client: /^(\/api)?\/clients?\/\{id\}\//,
  case: /^(\/api)?\/cases?\/\{id\}\//,
}

/** The entity whose number is in the path of a call, if its records can be merged. */
function numberedEntity({ endpoint }: Call): Mergeable | undefined {
  const { path } = callOf(endpoint)
  return MERGEABLE.find((entity) => endpoint.by === entity || PATHS[entity].test(path))
}

/**
 * Runs a call; if there is no record of the number in its path because it was merged into one that the caller sees, a
 * read answers for that one with the number as `merged_from`, and a write is refused with a 409 `merged`. The
 * number is looked up once the transaction of a write has ended.
 */
export async function byMergedNumber(call: Call, run: (call: Call) => Promise<unknown>): Promise<unknown> {
  try {
    return await run(call)
  } catch (error) {
    const entity = numberedEntity(call)
    if (!entity || asProblem(error).body.code !== 'notFound') throw error
    const remaining = await visibleRemaining(call, entity, call.params.id)
    if (remaining === undefined) throw error
    if (isWrite(call.endpoint)) throw problem('merged', { id: remaining })
    const reply = await run({ ...call, params: { ...call.params, id: remaining } })
    return isRecord(reply) && !('merged_from' in reply)
      ? { ...reply, merged_from: [Number(call.params.id)] }
      : reply
  }
}

function isRecord(reply: unknown): reply is object {
  return reply !== null && typeof reply === 'object' && !Array.isArray(reply)
}
