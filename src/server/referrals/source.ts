import { sql } from 'kysely'
import type { Group } from '../../contract/generated.ts'
import { visible } from '../../contract/visible.ts'
import type { Values } from '../../contract/when.ts'
import type { Call } from '../call.ts'
import type { Row } from '../db.ts'
import { fieldProblem } from '../problems.ts'
import { metaFor } from '../validate/meta.ts'
import { fetch, fetchAny } from '../verbs/read.ts'

/** What a referral is taken from: a client, and the case where it names one. */
export interface Source {
  client: Row
  /** The hub that took the client in last, for whoever has no hub. */
  hub: number | null
  case?: Row
  /** The groups of the case's form that are shown. */
  shown: Group[]
  answers: Values
}

/** The client or case of these ids, within the caller's scope. */
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
  const answers = caseRecord.answers as Values
  return { client, hub, case: caseRecord, shown: visible(groups, { ...conditionContext, answers }), answers }
}
