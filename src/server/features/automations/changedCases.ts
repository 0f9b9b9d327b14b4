import { sql } from 'kysely'
import { verbOf } from '../../../contract/call.ts'
import type { Endpoint } from '../../../contract/generated.ts'
import { afterReply } from '../../core/afterReply.ts'
import type { Call } from '../../core/call.ts'
import { today } from '../../core/today.ts'
import { evaluateCases } from './evaluateCases.ts'
import { evaluateLeft } from './evaluateLeft.ts'
import { takeChanged } from './takeChanged.ts'

/** Most changes that a call evaluates itself. */
const MAX_IN_CALL = 200

/** Entities whose rows automations and deadlines look at; among lookup items are bank holidays. */
const WATCHED = ['client', 'case', 'issue', 'action', 'deadline', 'lookupItem']

/** False for a call that changes other entities only. */
function mayChange(endpoint: Endpoint): boolean {
  const verb = verbOf(endpoint)
  const changed = verb ? [verb.entity] : endpoint.touches
  return changed?.some((entity) => WATCHED.includes(entity)) ?? true
}

/** The changes that a transaction has noted itself, each statement of it the same ones. */
const OWN = sql`select id, "case" from automation_changes where transaction = pg_current_xact_id_if_assigned()
  order by id limit ${sql.lit(MAX_IN_CALL)}`

/**
 * Evaluates the cases that the transaction of a call has changed, before it commits; of very many, the others after the
 * reply. `batch` names their upload.
 */
export async function evaluateChanged(call: Call, batch?: string): Promise<void> {
  const { db, contract, settings, me, endpoint } = call
  if (!mayChange(endpoint)) return
  const changed = await takeChanged(db, OWN, settings.BANK_HOLIDAYS)
  if (batch !== undefined) changed.batches = new Map(changed.cases.map(({ id }) => [id, batch]))
  await evaluateCases({ db, contract, today: today(settings.TIME_ZONE), by: me.id }, changed)
  if (changed.taken === MAX_IN_CALL)
    afterReply(call, async (later) => {
      await evaluateLeft({ db: later, contract, settings })
    })
}
