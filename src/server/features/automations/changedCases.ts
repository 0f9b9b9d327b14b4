import { sql } from 'kysely'
import { afterReply } from '../../core/afterReply.ts'
import type { Call } from '../../core/call.ts'
import { today } from '../../core/today.ts'
import { evaluateCases } from './evaluateCases.ts'
import { evaluateLeft } from './evaluateLeft.ts'
import { takeChanged } from './takeChanged.ts'

/** Most changes that a call evaluates itself. */
const MAX_IN_CALL = 200

/**
 * Evaluates the cases that the transaction of a call has changed, before it commits; of very many, the others after the
 * reply.
 */
export async function evaluateChanged(call: Call): Promise<void> {
  const { db, contract, settings, me } = call
  const own = sql`transaction = pg_current_xact_id_if_assigned()`
  const { cases, taken } = await takeChanged(db, own, MAX_IN_CALL)
  if (cases.length > 0)
    await evaluateCases({ db, contract, today: today(settings.TIME_ZONE), by: me.id }, cases)
  if (taken === MAX_IN_CALL)
    afterReply(call, async (later) => {
      await evaluateLeft({ db: later, contract, settings })
    })
}
