import { sql } from 'kysely'
import type { Handler } from '../../core/call.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { fetchAny } from '../../records/verbs/read.ts'
import { listAttempts, models as modelsOf } from './accessRecords.ts'
import { narrowModels } from './shapes.ts'

/** The types of sign-in records, in the shape of an app list of Django's admin. */
export const models: Handler = async (call) => ({
  app_label: 'axes',
  models: narrowModels(await modelsOf(call), call.query),
})

export const list: Handler = listAttempts

/** Deletes the failed attempts of a person or an address, and returns the deleted record. */
export const unlock: Handler = async (call) => {
  const { db, contract, params } = call
  const attempt = await fetchAny(call, contract.entities.accessAttempt, params.id)
  await sql`delete from access_attempt where id = ${params.id}`.execute(db)
  const { username, ip_address, failures_since_start } = attempt
  const changes = {
    username: { from: username, to: null },
    ip_address: { from: ip_address, to: null },
    failures_since_start: { from: failures_since_start, to: 0 },
  }
  await writeAuditEvent(call, {
    action: 'unlock',
    entity: 'accessAttempt',
    record: Number(params.id),
    changes,
  })
  return attempt
}
