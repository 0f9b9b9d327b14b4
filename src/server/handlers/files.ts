import { sql } from 'kysely'
import { note } from '../audit.ts'
import type { Handler } from '../call.ts'
import { FILE_ENDINGS, fileType } from '../fileTypes.ts'
import { fieldProblem, problem } from '../problems.ts'
import { fetch } from '../verbs/read.ts'

const LONGEST_NAME = 255

/** Keeps one uploaded file for its uploader, until a save attaches it; the content decides what it is. */
export const upload: Handler = async (call) => {
  if (!call.request.isMultipart())
    throw problem('mediaType', { message: 'The body must be multipart/form-data with a file' })
  const part = await call.request.file()
  if (!part) throw fieldProblem({ file: ['Choose a file'] })
  const content = await part.toBuffer()
  const name = plainName(part.filename)
  const type = fileType(name, content)
  if (!type)
    throw fieldProblem({ file: [`The file must be one of ${FILE_ENDINGS}, and be what its name says`] })
  const { rows } = await sql<{ id: number }>`insert into files (name, type, size, content, created_by)
    values (${name}, ${type}, ${content.length}, ${content}, ${call.me.id}) returning id`.execute(call.db)
  await note(call, { action: 'create', entity: 'file', record: rows[0].id, version: 1 })
  call.reply.code(201)
  return { id: rows[0].id, name, type, size: content.length }
}

/** The file under its own name; never shown inside a page. */
export const download: Handler = async (call) => {
  const file = await fetch(call, call.contract.entities.file, call.params.id)
  const { rows } = await sql<{ content: Buffer }>`select content from files where id = ${file.id}`.execute(
    call.db,
  )
  await note(call, { action: 'open', entity: 'file', record: Number(file.id) })
  call.reply
    .header('content-type', file.type as string)
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeName(file.name as string)}`)
    .header('content-security-policy', "default-src 'none'; sandbox")
  return rows[0].content
}

/** A name without path parts or control characters, not longer than file systems allow; its end is kept. */
function plainName(name = 'file'): string {
  const plain = name.split(/[/\\]/).at(-1)!.replaceAll(/\p{C}/gu, '').trim() || 'file'
  return plain.length > LONGEST_NAME ? plain.slice(0, 200) + plain.slice(-20) : plain
}

function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
