import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { allows } from '../../../contract/access.ts'
import type { Contract } from '../../../contract/contract.ts'
import { callerById } from '../../access/session.ts'
import type { Call } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import type { Settings } from '../../core/settings.ts'
import type { Tracing } from '../../core/tracing.ts'
import type { TypedContract } from '../../core/typedRows.ts'
import type { VersionEvents } from '../../core/versionEvents.ts'
import { choicesOf, type Item } from '../../records/lookups/choices.ts'

export interface BulkContext {
  db: Db
  contract: Contract
  settings: Settings
  log: Pick<FastifyBaseLogger, 'warn'>
  /** Aborted when the server closes. */
  ending: AbortSignal
  tracing?: Tracing
  /** Processes waiting uploads in a worker thread; if undefined, they are processed in this thread. */
  uploadThread?: (context: BulkContext) => Promise<void>
}

const UPLOAD_CALL = 'bulk.upload'

/**
 * A call of POST /case/ on behalf of a person, for a job: with the rights, scope and audit of a request of theirs.
 * Undefined if they may no longer upload cases. Choices are cached.
 */
export async function callAs(
  { contract, settings }: Pick<BulkContext, 'contract' | 'settings'>,
  db: Db,
  staff: number,
  request: string,
): Promise<Call | undefined> {
  const me = await callerById(db, staff)
  if (!me || !allows(contract.roles, contract.endpoints[UPLOAD_CALL].roles, me.groups)) return undefined
  const call: Call = {
    name: 'cases.create',
    endpoint: contract.endpoints['cases.create'],
    contract: contract as TypedContract,
    settings,
    versionEvents: {} as VersionEvents,
    db,
    me,
    params: {},
    query: {},
    body: {},
    request: { id: request } as FastifyRequest,
    reply: {} as FastifyReply,
    callbacks: [],
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
