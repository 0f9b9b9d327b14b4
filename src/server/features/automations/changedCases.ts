import { sql } from 'kysely'
import { verbOf } from '../../../contract/call.ts'
import type { Endpoint } from '../../../contract/generated.ts'
import { afterReply } from '../../core/afterReply.ts'
import type { Call } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { today } from '../../core/today.ts'
import { evaluateCases } from './evaluateCases.ts'
import { evaluateLeft } from './evaluateLeft.ts'
import { heldBefore } from './heldBefore.ts'
import { firingOf, isFiring, type NotedChange, takeChanged } from './takeChanged.ts'

/** Maximum number of changes that a call evaluates itself. */
const MAX_IN_CALL = 200

/** Entities whose rows automations and deadlines look at; among lookup items are bank holidays. */
const WATCHED = ['client', 'case', 'issue', 'action', 'deadline', 'lookupItem']

/** False for a call that changes other entities only. */
function mayChange(endpoint: Endpoint): boolean {
  const verb = verbOf(endpoint)
  const changed = verb ? [verb.entity] : endpoint.touches
  return changed?.some((entity) => WATCHED.includes(entity)) ?? true
}

/**
 * The changes that the transaction has noted itself. They are ordered, so that each statement with this query gets the
 * same ones.
 */
const OWN = sql`select id, "case" from automation_changes where transaction = pg_current_xact_id_if_assigned()
  order by id limit ${sql.lit(MAX_IN_CALL)}`

interface Options {
  /** Names the upload of the cases. */
  batch?: string
  /** A connection outside of the transaction, for one short query. */
  committed?: () => Db
}

/**
 * Changes of the cases of OWN that others have noted, such as a publication whose job has not reached the cases yet.
 */
async function waitingChanges(db: Db): Promise<NotedChange[]> {
  const { rows } = await sql<NotedChange>`select "case", fires, automations from automation_changes
    where transaction is distinct from pg_current_xact_id_if_assigned()
      and "case" in (select n."case" from (${OWN}) n)`.execute(db)
  return rows
}

/** The keys of the states that waiting changes begin without notices or steps. */
async function beginQuietly(
  context: Parameters<typeof heldBefore>[0],
  waiting: NotedChange[],
): Promise<Set<string>> {
  const firing = firingOf(waiting)
  const ids = [...new Set(waiting.map((one) => one.case))].filter((id) => firing.get(id) !== 'all')
  return heldBefore(context, ids, (id, automation) => !isFiring(firing, id, automation))
}

/**
 * Evaluates the cases that the transaction of a call has changed, before it commits; if there are very many, the others
 * after the reply. A state that a publication without notices has begun causes no notices here either, though the
 * publication's job has not reached the case yet.
 */
export async function evaluateChanged(call: Call, { batch, committed }: Options): Promise<void> {
  const { db, contract, settings, me, endpoint } = call
  const { log } = call.request
  if (!mayChange(endpoint)) return
  // In this order, because the second one deletes what the first one looks at.
  const [waiting, changed] = await Promise.all([
    waitingChanges(db),
    takeChanged(db, OWN, settings.BANK_HOLIDAYS),
  ])
  if (batch !== undefined) changed.batches = new Map(changed.cases.map(({ id }) => [id, batch]))
  const day = today(settings.TIME_ZONE)
  const { calendars } = changed
  const before = committed && (await beginQuietly({ committed: committed(), today: day, calendars }, waiting))
  await evaluateCases({ db, contract, log, today: day, by: me.id }, changed, before)
  if (changed.taken === MAX_IN_CALL)
    afterReply(call, async (later) => {
      await evaluateLeft({ db: later, contract, log, settings })
    })
}
