import { sql } from 'kysely'
import type { Handler } from '../../core/call.ts'
import { plainName, saveUpload } from '../../records/files/saveFile.ts'
import { addRecords } from '../../records/verbs/addRecords.ts'
import { fetch } from '../../records/verbs/read.ts'
import { update } from '../../records/verbs/update.ts'

/** Adds the file of a multipart body to an issue's documents, under its own name. */
export const upload: Handler = async (call) => {
  const { contract, me } = call
  const issue = Number(call.params.id)
  await fetch(call, contract.entities.issue, issue)
  const file = await saveUpload(call)
  const row = { issue, name: file.name, file: file.id, created_by: me.id }
  const [id] = await addRecords(call, 'issueDocument', [row])
  await attach(call, file.id, id)
  call.reply.code(201)
  return fetch(call, contract.entities.issueDocument, id)
}

/** Renames a document and its file, which keeps its extension. */
export const rename: Handler = async (call) => {
  const document = await update(call, call.contract.entities.issueDocument)
  const { rows } = await sql<{ name: string }>`select name from files where id = ${document.file}`.execute(
    call.db,
  )
  const extension = rows[0].name.slice(rows[0].name.lastIndexOf('.'))
  const newName = plainName(document.name)
  const name = newName.toLowerCase().endsWith(extension.toLowerCase()) ? newName : newName + extension
  await sql`update files set name = ${name} where id = ${document.file}`.execute(call.db)
  return document
}

const attach = ({ db }: Parameters<Handler>[0], file: number, document: number) =>
  sql`update files set entity = 'issueDocument', record = ${document} where id = ${file}`.execute(db)
