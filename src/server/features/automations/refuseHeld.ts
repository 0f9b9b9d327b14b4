import { sql } from 'kysely'
import { joinWords } from '../../../contract/quoted.ts'
import { STATUS } from '../../../contract/status.ts'
import { seesAlertedRecord } from '../../access/alertedRecord.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'

/** Calls that hide or delete a record, the mildest first: a hold of a call also refuses those after it. */
const REACH = ['close', 'retire', 'remove', 'purge']
/** Minutes in which a pass can be used. */
const PASS_MINUTES = 10

interface FoundHold {
  id: number
  label: string
  text: string
  /** Ids of the roles that may pass it. */
  pass: number[]
  isVisible: boolean
  mayPass: boolean
  passed: number | null
}

/**
 * Throws a 409 `held` if a state holds this call for its record, or for one that the call takes along, such as an issue
 * of a case that is purged. A pass of the caller lets one call through.
 */
export async function refuseHeld(call: Call): Promise<void> {
  const { endpoint, db } = call
  if (!endpoint.held) return
  const [verb, entity] = endpoint.held.split(' ')
  const holds = await findHolds(call, verb, entity)
  const refusing = holds.find(({ passed }) => passed === null)
  if (refusing) {
    const { id, label, text, pass, isVisible, mayPass } = refusing
    throw problem('held', {
      message: isVisible ? text : label,
      hold: id,
      label,
      may_pass: mayPass,
      ask: mayPass ? null : await whomToAsk(call, pass),
    })
  }
  if (holds.length > 0)
    await sql`update hold_passes set used_at = now() where id = any(${holds.map(({ passed }) => passed)}::int[])`.execute(
      db,
    )
}

/** Says whom to ask to pass a hold: the caller's manager if they may, and people with the roles. */
async function whomToAsk({ db, me, contract }: Call, pass: number[]): Promise<string> {
  const { rows } = await sql<{ name: string }>`select trim(m.first_name || ' ' || m.last_name) as name
    from staff p join staff m on m.id = p.line_manager
    where p.id = ${me.id} and m.status = ${sql.lit(STATUS.active)} and m.groups && ${pass}::int[]`.execute(db)
  const roles = contract.roles.roles.filter(({ id }) => pass.includes(id)).map(({ label }) => label)
  if (roles.length === 0) return 'Nobody may pass this: what it is about must be dealt with first.'
  const who = rows[0]?.name ? `Ask ${rows[0].name}. ` : ''
  return `${who}People who see the record and have the role ${joinWords(roles, 'or')} may pass this with a reason.`
}

/** The condition that a hold h refuses a call. */
export function holdsFrom(verb: string): Sql {
  const lesser = REACH.slice(0, REACH.indexOf(verb) + 1)
  return sql`h.call = any(${lesser.length > 0 ? lesser : [verb]}::text[])`
}

/** The holds of a call, each with the id of the caller's unused pass. Locks the passes, so that each is used once. */
async function findHolds({ db, me, params }: Call, verb: string, entity: string): Promise<FoundHold[]> {
  const { rows } =
    await sql<FoundHold>`select h.id, h.text, h.pass, s.label, h.pass && ${me.groups}::int[] and ${seesAlertedRecord(me, 's')} as "mayPass",
      ${seesAlertedRecord(me, 's')} as "isVisible",
      (select p.id from hold_passes p where p.hold = h.id and p.staff = ${me.id} and p.used_at is null
        and p.at > now() - make_interval(mins => ${PASS_MINUTES}) order by p.id limit 1 for update) as passed
    from automation_holds h join automation_states s on s.id = h.state
    where ${RECORDS[entity](params.id)} and ${seesRecord(me, entity, params.id)} and ${holdsFrom(verb)}
    order by h.id`.execute(db)
  return rows
}

/** The condition that the caller sees a record: a hold must not confirm that another one exists. */
function seesRecord(me: Call['me'], entity: string, id: unknown): Sql {
  return sql`exists (select from ${sql.table(`${entity}s`)} held where held.id = ${id} and ${visibleTo(entity, me, 'held')})`
}

/** The condition for states of a record and of those that it takes along. */
const RECORDS: Record<string, (id: unknown) => Sql> = {
  issue: (id) => sql`s.issue = ${id}`,
  case: (id) => sql`s."case" = ${id}`,
  client: (id) => sql`s.client = ${id}`,
}
