import { sql } from 'kysely'
import { ROLE } from '../../contract/roles.ts'
import type { Caller } from '../core/call.ts'
import type { Sql } from '../core/db.ts'
import { dealsWithReferrals, seesAll, seesOwnOnly } from './callerRights.ts'
import { anyOf, column, createdBy, TABLES } from './visibleParents.ts'

export type Rule = (me: Caller, row: string) => Sql

/**
 * Entities with files, and how a file takes the scope of its record: table, scope, and the column that references the
 * record in scope.
 */
const FILE_OWNERS: Record<string, { table: string; scope: string; key: string }> = {
  case: { table: 'cases', scope: 'case', key: 'id' },
  issue: { table: 'issues', scope: 'issue', key: 'id' },
  issueDocument: { table: 'issue_documents', scope: 'issue', key: 'issue' },
  risk: { table: 'risks', scope: 'client', key: 'client' },
  communicationIssue: { table: 'communication_issues', scope: 'client', key: 'client' },
  bulkUpload: { table: 'bulk_uploads', scope: 'bulkUpload', key: 'id' },
}

/** Values of `files.entity` for pictures in notes: of a published case type, and of an unpublished draft. */
export const PUBLISHED_PICTURE = 'caseType'
export const DRAFT_PICTURE = 'caseTypeDraft'

/** The condition for files, by the scopes of the records that they belong to; a new file is its uploader's. */
export function fileScope(me: Caller, r: string, scopes: Record<string, Rule>): Sql {
  return anyOf([
    sql`${createdBy(me, r)} and ${column(r, 'record')} is null`,
    managedFile(me, r),
    notePicture(me, r),
    ...(dealsWithReferrals(me) ? [documentOfReferral(r, scopes.receivedReferral(me, 'q'))] : []),
    ...Object.entries(FILE_OWNERS).map(([entity, owner]) =>
      ownedFile(me, r, entity, { ...owner, isVisible: scopes[owner.scope](me, 'p') }),
    ),
  ])
}

function ownedFile(
  me: Caller,
  r: string,
  entity: string,
  { table, scope, key, isVisible }: (typeof FILE_OWNERS)[string] & { isVisible: Sql },
): Sql {
  const isOwn = key !== 'id' && seesOwnOnly(me) ? createdBy(me, 'o') : sql`true`
  return sql`${column(r, 'entity')} = ${entity} and exists (select 1 from ${sql.table(table)} o
    join ${sql.table(TABLES[scope])} p on p.id = ${column('o', key)}
    where o.id = ${column(r, 'record')} and ${isVisible} and ${isOwn}
      ${entity === 'issueDocument' ? sql`and o.error_reason is null` : sql``})`
}

/**
 * The condition for files of documents that were sent along with a referral to the caller's hub, until it is decided. A
 * document that was moved to another client since, or entered in error, is hidden.
 */
function documentOfReferral(r: string, isReceived: Sql): Sql {
  return sql`(${column(r, 'entity')} = 'issueDocument' and exists (select from referral_documents g
    join referral_requests q on q.id = g.request and is_undecided(q.status)
    join issue_documents o on o.id = g.document and o.error_reason is null
    join issues i on i.id = o.issue and i.client = q.from_client
    where g.document = ${column(r, 'record')} and ${isReceived}))`
}

/** Files that administrators manage: visible to them, and to everybody if marked as downloadable. */
function managedFile(me: Caller, r: string): Sql {
  const offered = sql`exists (select 1 from lookup l where l.kind = 'file' and l.value = ${column(r, 'record')}
    and l.active and l.attrs @> '{"downloadable": true}')`
  return sql`${column(r, 'entity')} = 'managedFile' and ${seesAll(me) ? sql`true` : offered}`
}

/** Pictures in notes: published ones are visible to everybody, those of drafts to administrators only. */
function notePicture(me: Caller, r: string): Sql {
  const owners = [PUBLISHED_PICTURE, ...(me.groups.includes(ROLE.systemAdministrator) ? [DRAFT_PICTURE] : [])]
  return sql`${column(r, 'entity')} = any(${owners}::text[])`
}
