import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { allows } from '../../contract/access.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Call } from '../call.ts'
import type { Db } from '../db.ts'
import { choicesOf, type Item } from '../lookups/choices.ts'
import type { Settings } from '../settings.ts'
import { whoMaySignIn } from '../signIn/maySignIn.ts'
import type { Caller } from '../signIn/session.ts'
import type { VersionEvents } from '../versionEvents.ts'

/** What a job has at hand that works on uploads. */
export interface BulkContext {
  db: Db
  contract: Contract
  settings: Settings
  log: Pick<FastifyBaseLogger, 'warn'>
  /** Aborted when the server closes. */
  ending: AbortSignal
}

const WHOSE = 'bulk.upload'

/**
 * A call of POST /case/ as if this person made it, for a job: the same rights, scope and audit as a request of theirs;
 * undefined where they may no longer upload cases. Choices are read once.
 */
export async function callAs(
  { contract, settings }: Pick<BulkContext, 'contract' | 'settings'>,
  db: Db,
  staff: number,
  request: string,
): Promise<Call | undefined> {
  const me = await callerById(db, staff)
  if (!me || !allows(contract.roles, contract.endpoints[WHOSE].roles, me.groups)) return undefined
  const call: Call = {
    name: 'cases.create',
    endpoint: contract.endpoints['cases.create'],
    contract,
    settings,
    versionEvents: {} as VersionEvents,
    db,
    me,
    params: {},
    query: {},
    body: {},
    request: { id: request } as FastifyRequest,
    reply: {} as FastifyReply,
    exporting: false,
  }
  const read = new Map<string, Promise<Item[]>>()
  call.choices = (lookup, params) => {
    const key = JSON.stringify([lookup, params])
    if (!read.has(key)) read.set(key, choicesOf(call, lookup, params))
    return read.get(key)!
  }
  return call
}

/** Somebody as `callerOf` finds them by a token; undefined for who may not sign in. */
async function callerById(db: Db, staff: number): Promise<Caller | undefined> {
  const { rows } = await sql<Caller>`
    with recursive team as (
      select id from staff where id = ${staff}
      union select b.id from staff b join team on b.line_manager = team.id
    )
    select a.id, a.username, a.first_name, a.last_name, a.email, a.groups, a.status, a.hub, a.services, a.contracts,
      array(select id from team) as team
    from staff a where a.id = ${staff} and ${whoMaySignIn('a')}`.execute(db)
  return rows[0]
}
