import { sql } from 'kysely'
import type { Group } from '../../../contract/generated.ts'
import type { Case, Client } from '../../../contract/types/entities.ts'
import { visible } from '../../../contract/visible.ts'
import type { Values } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'
import { metaFor } from '../../records/validate/meta.ts'
import { fetch, fetchAny } from '../../records/verbs/read.ts'

/** The client, and the case if there is one, from which a referral is made. */
export interface Source {
  client: Client
  /** The hub of the client's last issue, as the sender for callers without a hub. */
  hub: number | null
  case?: Case
  /** The visible groups of the case's form. */
  shown: Group[]
  answers: Values
}

/** The client or case with these ids, which must be in the caller's scope. */
export async function sourceOf(
  call: Call,
  { client: clientId, case: caseId }: { client?: unknown; case?: unknown },
): Promise<Source> {
  if (!clientId && !caseId) throw fieldProblem({ client: ['Choose a client or a case'] })
  const { entities } = call.contract
  const caseRecord = caseId ? await fetch(call, entities.case, caseId) : undefined
  const client = caseRecord
    ? await fetchAny(call, entities.client, caseRecord.client)
    : await fetch(call, entities.client, clientId)
  const { rows } = await sql<{
    hub: number
  }>`select hub from issues where client = ${client.id} and hub is not null
    order by ("case" = ${caseId ?? null}) desc nulls last, id desc limit 1`.execute(call.db)
  const hub = rows[0]?.hub ?? null
  if (!caseRecord) return { client, hub, shown: [], answers: {} }
  const { groups, contextOf } = await metaFor(call, entities.case, caseRecord.id)
  const conditionContext = contextOf(caseRecord)
  const { answers } = caseRecord
  return { client, hub, case: caseRecord, shown: visible(groups, { ...conditionContext, answers }), answers }
}
