import type { Handler } from '../../core/call.ts'
import { NO_CONTENT_POLICY } from '../../core/securityHeaders.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { readContent } from '../../records/files/content.ts'
import { saveUpload } from '../../records/files/saveFile.ts'
import { fetch } from '../../records/verbs/read.ts'

/** Saves an uploaded file, which only its uploader can see until a save attaches it to a record. */
export const upload: Handler = async (call) => {
  const file = await saveUpload(call)
  await writeAuditEvent(call, { action: 'create', entity: 'file', record: file.id, version: 1 })
  call.reply.code(201)
  return file
}

/** Downloads a file under its own name; browsers must not render it inside a page. */
export const download: Handler = async (call) => {
  const file = await fetch(call, call.contract.entities.file, call.params.id)
  const content = await readContent(call, file.id)
  await writeAuditEvent(call, { action: 'open', entity: 'file', record: file.id })
  call.reply
    .header('content-type', withCharset(file.type))
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeName(file.name)}`)
    .header('content-security-policy', `${NO_CONTENT_POLICY}; sandbox`)
  return content
}

/** Adds the charset to a text type; without it, browsers guess the encoding. */
function withCharset(type: string): string {
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}

function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
