import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { allows } from '../../contract/access.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Call } from '../call.ts'
import type { Db } from '../db.ts'
import { choicesOf, type Item } from '../lookups/choices.ts'
import type { Settings } from '../settings.ts'
import { callerById } from '../signIn/session.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { VersionEvents } from '../versionEvents.ts'

/** What a job has at hand that works on uploads. */
export interface BulkContext {
  db: Db
  contract: Contract
  settings: Settings
  log: Pick<FastifyBaseLogger, 'warn'>
  /** Aborted when the server closes. */
  ending: AbortSignal
  tracing?: Tracing
  /** Works on what waits in a thread of its own; without it, work is done in this one. */
  uploadThread?: (context: BulkContext) => Promise<void>
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
