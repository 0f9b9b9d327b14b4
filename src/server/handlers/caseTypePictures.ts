import { writeAuditEvent } from '../audit/audit.ts'
import type { Handler } from '../call.ts'
import { PICTURE_TYPES, saveUpload } from '../files/saveFile.ts'
import { DRAFT_PICTURE } from '../scope.ts'
import { fetch } from '../verbs/read.ts'

/** Saves a picture for the notes of a draft; only administrators may see it before the draft is published. */
export const add: Handler = async (call) => {
  const { id } = await fetch(call, call.contract.entities.caseType, call.params.id)
  const file = await saveUpload(call, { entity: DRAFT_PICTURE, record: Number(id) }, PICTURE_TYPES)
  await writeAuditEvent(call, { action: 'create', entity: 'file', record: file.id, version: 1 })
  call.reply.code(201)
  return file
}
