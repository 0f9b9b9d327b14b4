import { DRAFT_PICTURE } from '../../access/fileScope.ts'
import type { Handler } from '../../core/call.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { PICTURE_TYPES, saveUpload } from '../../records/files/saveFile.ts'
import { fetch } from '../../records/verbs/read.ts'

/** Saves a picture for the notes of a draft; only administrators may see it before the draft is published. */
export const add: Handler = async (call) => {
  const { id } = await fetch(call, call.contract.entities.caseType, call.params.id)
  const file = await saveUpload(call, { entity: DRAFT_PICTURE, record: Number(id) }, PICTURE_TYPES)
  await writeAuditEvent(call, { action: 'create', entity: 'file', record: file.id, version: 1 })
  call.reply.code(201)
  return file
}
