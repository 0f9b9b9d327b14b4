import { sql } from 'kysely'
import { type RecordStatus, STATUS } from '../../../contract/status.ts'
import type { Call, Handler } from '../../core/call.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { fetch } from '../../records/verbs/read.ts'

/** Retires a case type, so that no new case can use it. Its forms keep working, so their version stays the same. */
export const retire: Handler = async (call) => {
  const type = await fetch(call, call.contract.entities.caseType, call.params.id)
  if (type.version === 0)
    throw fieldProblem({ status: ['This case type was never published: delete it instead'] })
  const service = await serviceOfPublicForm(call)
  if (service !== undefined)
    throw fieldProblem({
      status: [
        `The public referral form of ${service} uses this case type: choose another there, or switch that form off`,
      ],
    })
  return setStatus(call, STATUS.retired)
}

/** Makes a retired case type active again. */
export const offer: Handler = (call) => setStatus(call, STATUS.active)

/** Deletes a case type that was never published, with its draft. */
export const remove: Handler = async (call) => {
  const { db, params } = call
  const { rows } = await sql<{
    version: number
  }>`select version from case_types where id = ${params.id} for update`.execute(db)
  if (!rows[0]) throw problem('notFound')
  if (rows[0].version > 0)
    throw fieldProblem({ version: ['This case type was published: it can be retired, not deleted'] })
  await writeAuditEvent(call, { action: 'remove', entity: 'caseType', record: Number(params.id) })
  await sql`delete from case_types where id = ${params.id}`.execute(db)
  call.reply.code(204)
}

/** Returns the service whose active public form uses this case type; retiring it would break that form. */
async function serviceOfPublicForm({ db, params }: Call): Promise<string | undefined> {
  const { rows } = await sql<{ label: string }>`select s.label from referral_forms f
    join lookup s on s.kind = 'services' and s.value = f.service
    where f.status = ${sql.lit(STATUS.active)} and (f.case_type = ${params.id}::int or exists (
      select from jsonb_array_elements(f.routes) route where (route ->> 'case_type')::int = ${params.id}::int))
    order by s.label limit 1`.execute(db)
  return rows[0]?.label
}

async function setStatus(call: Call, status: RecordStatus) {
  const { db, params, contract } = call
  const before = status === STATUS.retired ? STATUS.active : STATUS.retired
  const { rows } = await sql<{ version: number }>`update case_types set status = ${status}
    where id = ${params.id} and status <> ${status} returning version`.execute(db)
  if (rows[0]) {
    await writeAuditEvent(call, {
      action: status === STATUS.retired ? 'retire' : 'unretire',
      entity: 'caseType',
      record: Number(params.id),
      version: rows[0].version,
      changes: { status: { from: before, to: status } },
    })
  }
  return fetch(call, contract.entities.caseType, params.id)
}
