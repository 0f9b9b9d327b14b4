import { sql } from 'kysely'
import { note } from '../audit.ts'
import type { Handler } from '../call.ts'
import { insertRow } from '../columns.ts'
import { keepFile } from '../keepFile.ts'
import { fetch } from '../verbs/read.ts'

/** Adds the file of a multipart body to an issue's documents, under its own name. */
export const upload: Handler = async (call) => {
  const { contract, me, db } = call
  const issue = Number(call.params.id)
  await fetch(call, contract.entities.issue, issue)
  const file = await keepFile(call)
  const row = { issue, name: file.name, file: file.id, created_by: me.id }
  const { rows } = await insertRow('issue_documents', row).execute(db)
  const { id } = rows[0] as { id: number }
  await attach(call, file.id, id)
  await note(call, { action: 'create', entity: 'issueDocument', record: id, version: 1 })
  call.reply.code(201)
  return fetch(call, contract.entities.issueDocument, id)
}

const attach = ({ db }: Parameters<Handler>[0], file: number, document: number) =>
  sql`update files set entity = 'issueDocument', record = ${document} where id = ${file}`.execute(db)
