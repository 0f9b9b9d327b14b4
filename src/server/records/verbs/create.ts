import { editableFields } from '../../../contract/entity.ts'
import type { Entity } from '../../../contract/generated.ts'
import { enforceQuota } from '../../access/quotas.ts'
import type { Call } from '../../core/call.ts'
import type { RowOf } from '../../core/typedRows.ts'
import { attachFiles } from '../files/attachFiles.ts'
import { validateBody } from '../validate/validateBody.ts'
import { notifyOfRecords } from '../workNotices/notifyOfChanges.ts'
import { addRecords } from './addRecords.ts'
import { refuseInvisibleRefs, requireParent } from './parentOf.ts'
import { fetch } from './read.ts'

/** Creates a record below the parent in the path, if any, and returns it. */
export async function create<E extends Entity>(call: Call, entity: E): Promise<RowOf<E>> {
  const { me, endpoint, params } = call
  await requireParent(call, entity)
  const values = await validateBody(call, entity, call.body)
  await refuseInvisibleRefs(call, entity, values)
  await enforceQuota(call, entity, values)
  const row = { ...values, ...owner(entity, me.id), ...(endpoint.by && { [endpoint.by]: params.id }) }
  const [id] = await addRecords(call, entity.$id, [row])
  await attachFiles(call, { entity: entity.$id, record: id, at: '' }, editableFields(entity), values)
  if (entity.automations) await notifyOfRecords({ ...call, by: me.id }, entity.$id, [id])
  const added = await fetch(call, entity, id)
  call.reply.code(201)
  return added
}

/** Owner columns of a new record. */
function owner({ properties }: Entity, me: number) {
  return {
    ...('created_by' in properties && { created_by: me }),
    ...('staff' in properties && { staff: me }),
  }
}
