import { sql } from 'kysely'
import type { Group } from '../../../contract/generated.ts'
import { asWriter } from '../../access/principals.ts'
import { scoped, visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { fieldProblem, refuse } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { formatDate } from '../../records/audit/formatValue.ts'
import { addRecords } from '../../records/verbs/addRecords.ts'
import type { Source } from './source.ts'

/** A document that may go along with a referral. */
interface SendableDocument {
  id: number
  name: string
  file: number
  /** In bytes. */
  size: number
  added_on: string
}

/** Maximum number of documents of a referral, and maximum megabytes of all of them. */
export const MAX_DOCUMENTS = 20
export const MAX_MEGABYTES = 50
/** Maximum number of documents that are offered, the newest first. */
const MAX_OFFERED = 200
const FIELD = 'chosen.documents'

/** A form to choose which documents of a client or case are sent with a referral. */
export async function offeredDocuments(call: Call, source: Source): Promise<Group[]> {
  const documents = await sendableDocuments(call, source)
  if (documents.length === 0) return []
  const options = documents.map(({ id, name, added_on }) => ({
    value: String(id),
    label: `${name}, added ${formatDate(added_on)}`,
  }))
  const field = { name: 'documents', label: 'Documents', type: 'multiselect' as const }
  return [{ name: 'chosen', label: 'Documents', fields: [{ ...field, attrs: { is_on: true, options } }] }]
}

/** The chosen documents; refuses others than those that are offered, and too many. */
export async function chosenDocuments(
  call: Call,
  source: Source,
  chosen: string[],
): Promise<SendableDocument[]> {
  if (chosen.length === 0) return []
  const offered = await sendableDocuments(call, source)
  const documents = offered.filter(({ id }) => chosen.includes(String(id)))
  const bytes = documents.reduce((sum, { size }) => sum + size, 0)
  const message =
    documents.length < new Set(chosen).size
      ? 'One of these documents is not there any more: choose again'
      : documents.length > MAX_DOCUMENTS
        ? `Choose at most ${MAX_DOCUMENTS} documents`
        : bytes > MAX_MEGABYTES * 1024 * 1024
          ? `The documents must be ${MAX_MEGABYTES} MB or smaller together`
          : undefined
  refuse(message ? { [FIELD]: [message] } : {})
  return documents
}

/** The documents of a client or case that the caller sees, also as one who only writes. */
async function sendableDocuments(
  { contract, db, me }: Call,
  { client, case: caseRecord }: Source,
): Promise<SendableDocument[]> {
  const { rows } = await sql<SendableDocument>`
    select d.id, d.name, d.file, f.size, d.created_at::date as added_on
    from issue_documents d join files f on f.id = d.file join issues i on i.id = d.issue
    where i.client = ${client.id} and (${caseRecord?.id ?? null}::int is null or i."case" = ${caseRecord?.id ?? null})
      and d.error_reason is null and ${scoped(contract.entities.issueDocument, asWriter(me), 'd')}
    order by d.id desc limit ${MAX_OFFERED}`.execute(db)
  return rows
}

/** Sends documents along with a new referral. One that is removed at the same moment is left out. */
export async function sendDocuments(call: Call, request: number, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<{ document: number }>`insert into referral_documents (request, document)
    select ${request}, d.id from issue_documents d
    where d.id = any(${ids}::int[]) and d.error_reason is null order by d.id for key share
    returning document`.execute(call.db)
  const changes = { referral: { from: null, to: request } }
  for (const { document } of rows)
    await writeAuditEvent(call, { action: 'refer', entity: 'issueDocument', record: document, changes })
}

/**
 * Copies the documents of a referral to an issue of the case that it becomes. What was marked as entered in error or
 * moved to another client since stays behind.
 */
export async function copyDocuments(call: Call, request: number, issue: number): Promise<void> {
  const { db, me } = call
  // Locked, so that a move of files from or to the object storage waits for the copy.
  const { rows } = await sql<{ name: string; file: number }>`select d.name, f.id as file
    from ${DOCUMENTS_OF_REFERRAL} join files f on f.id = d.file
    where q.id = ${request} order by g.id for share of f`.execute(db)
  if (rows.length === 0) return
  const copies: { name: string; file: number }[] = []
  for (const { name, file } of rows) copies.push({ name, file: await copyFile(db, file, me.id) })
  const documents = await addRecords(
    call,
    'issueDocument',
    copies.map((copy) => ({ ...copy, issue, created_by: me.id })),
  )
  await sql`update files f set record = c.record
    from unnest(${copies.map(({ file }) => file)}::int[], ${documents}::int[]) c(file, record)
    where f.id = c.file`.execute(db)
}

/** Joins the documents d that a referral q shows: those of its client that are not marked as entered in error. */
const DOCUMENTS_OF_REFERRAL = sql`referral_documents g join referral_requests q on q.id = g.request
  join issue_documents d on d.id = g.document and d.error_reason is null
  join issues i on i.id = d.issue and i.client = q.from_client`

async function copyFile(db: Db, file: number, by: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into files (name, type, size, content, storage_key, sha256, created_by, entity)
    select name, type, size, content, storage_key, sha256, ${by}, 'issueDocument' from files where id = ${file}
    returning id`.execute(db)
  return rows[0].id
}

/**
 * The issue of an existing case that gets the documents of a referral; refuses a case without one, if there are any.
 */
export async function issueForDocuments(
  { db, me }: Call,
  request: number,
  caseId: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number | null }>`select (
      select i.id from issues i where i."case" = ${caseId} and ${visibleTo('issue', me, 'i')}
      order by i.is_opened desc, i.id desc limit 1) as id
    where exists (select from referral_documents where request = ${request})`.execute(db)
  if (rows[0]?.id === null)
    throw fieldProblem({ case: ['The documents of this referral need an issue of yours on that case'] })
  return rows[0]?.id
}
