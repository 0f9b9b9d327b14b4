import { sql } from 'kysely'
import type { Entity } from '../../contract/generated.ts'
import { ROLE } from '../../contract/roles.ts'
import { REFERRAL_STATUS } from '../../contract/status.ts'
import type { Caller } from '../core/call.ts'
import type { Sql } from '../core/db.ts'
import { heldBy, type Kind, principalsOf } from './principals.ts'

/** Roles that deal with referrals. */
const REFERRAL_ROLES: number[] = [ROLE.systemAdministrator, ROLE.hubManager, ROLE.hub]

type Rule = (me: Caller, row: string) => Sql

/** Reference to a column of a table alias. */
export const column = (row: string, name: string) => sql.ref(`${row}.${name}`)

/** The conditions for issues that have a principal of a kind, by the columns and states that principals are made of. */
const HAS_PRINCIPAL: Record<Kind, (row: string, ids: number[]) => Sql> = {
  advocate: (r, ids) => isOneOf(r, 'advocate', ids),
  creator: (r, ids) => isOneOf(r, 'created_by', ids),
  hub: (r, ids) => isOneOf(r, 'hub', ids),
  contract: (r, ids) => isOneOf(r, 'contract', ids),
  unallocated: (r, ids) => sql`(${column(r, 'advocate')} is null and ${isOneOf(r, 'service', ids)})`,
  group: (r, ids) =>
    sql`exists (select from automation_states g where g.issue = ${column(r, 'id')} and g.groups && ${ids}::int[])`,
  // A referral shows its client, and none of their issues.
  referred: () => sql`false`,
}

const ACTIVITY_RULES: { roles: number[]; rule: Rule }[] = [
  { roles: [ROLE.systemAdministrator], rule: () => sql`true` },
  {
    roles: [ROLE.advocateManager, ROLE.partnerManager],
    rule: (me, r) => sql`${column(r, 'created_by')} = any(${me.team}::int[])`,
  },
  {
    roles: [ROLE.hub, ROLE.hubManager],
    rule: (me, r) => sql`${column(r, 'created_by')} in (select id from staff where hub = ${me.hub})`,
  },
  {
    roles: [ROLE.commissionerAdvocate],
    rule: (me, r) =>
      me.readsContracts
        ? sql`${column(r, 'commissioning_contract')} = any(${me.contracts}::int[])`
        : sql`false`,
  },
]

/** Entities with files, which take their scope: table, scope, and the column that references the record in scope. */
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

/**
 * Conditions for the rows that a person may see, by scope; several roles are the union. An issue is visible to those who
 * hold one of its principals. The rows of client_access and case_access say who may see a case or client: its creator,
 * and everybody who may see one of its issues.
 */
export const SCOPES: Record<string, Rule> = {
  issue: (me, r) =>
    seesAll(me) ? sql`true` : anyOf(heldBy(me).map(([kind, ids]) => HAS_PRINCIPAL[kind](r, ids))),
  case: (me, r) => (seesAll(me) ? sql`true` : hasAccess(me, 'case', column(r, 'id'))),
  client: (me, r) => (seesAll(me) ? sql`true` : hasAccess(me, 'client', column(r, 'id'))),
  // An issue with invalid fields, or of a client whose NHS number another visible one has.
  invalidIssue: (me, r) => sql`(${SCOPES.issue(me, r)} and (${column(r, 'is_invalid')} or exists (
      select from same_nhs_numbers n where n.client = ${column(r, 'client')} and ${below(me, 'n', 'client', 'other')})))`,
  staff: (me, r) =>
    anyOf([
      sql`${column(r, 'id')} = any(${me.team}::int[])`,
      ...(seesAll(me) ? [sql`true`] : []),
      ...(me.groups.includes(ROLE.hubManager) ? [sql`${column(r, 'hub')} = ${me.hub}`] : []),
    ]),
  // Whose work of a week a report counts: hub advisers see that of their hub, though not the records of its people.
  staffOfReport: (me, r) =>
    anyOf([
      SCOPES.staff(me, r),
      ...(me.groups.includes(ROLE.hub) ? [sql`${column(r, 'hub')} = ${me.hub}`] : []),
    ]),
  // An action always has a case, and its issue cannot be deleted before it. Who wrote it down sees it no longer than
  // its issue or case.
  action: (me, r) => {
    if (seesAll(me)) return sql`true`
    if (seesOwnOnly(me)) return createdBy(me, r)
    return anyOf([...keptByMaker(me, r), below(me, r, 'issue'), ofVisibleCaseAlone(me, r)])
  },
  activity: (me, r) =>
    anyOf([createdBy(me, r), ...ACTIVITY_RULES.filter(has(me)).map(({ rule }) => rule(me, r))]),
  // Rows of both entities, distinguished by `kind`. Figures of time keep the hours of everybody who worked them; such an
  // action has no link to a record that the person sees no longer.
  actionOrActivity: (
    me,
    r,
  ) => sql`(${column(r, 'kind')} = 'action' and ${anyOf([createdBy(me, r), isActionOfMany(me, r)])}
    or ${column(r, 'kind')} = 'activity' and ${SCOPES.activity(me, r)})`,
  history: (me, r) => {
    if (seesAll(me)) return sql`true`
    const isVisible = anyOf([belowVisible(me, r, belowRemaining), ofDeletedIssue(me, r)])
    return seesOwnOnly(me) ? sql`(${isVisible} and ${column(r, 'staff')} = ${me.id})` : isVisible
  },
  file: (me, r) =>
    anyOf([
      sql`${createdBy(me, r)} and ${column(r, 'record')} is null`,
      managedFile(me, r),
      notePicture(me, r),
      ...(dealsWithReferrals(me) ? [documentOfReferral(me, r)] : []),
      ...Object.entries(FILE_OWNERS).map(([entity, owner]) => ownedFile(me, r, entity, owner)),
    ]),
  // The sending hub and the receiving one.
  referral: (me, r) => anyOf([SCOPES.receivedReferral(me, r), SCOPES.sentReferral(me, r)]),
  receivedReferral: (me, r) => sql`(${ofHub(me, r, 'hub')} and ${isNotSpam(r)})`,
  referralSpam: (me, r) =>
    sql`(${ofHub(me, r, 'hub')} and ${column(r, 'status')} = ${sql.lit(REFERRAL_STATUS.spam)})`,
  sentReferral: (me, r) => sql`(${ofHub(me, r, 'from_hub')} and ${isNotSpam(r)})`,
  referralMessage: (me, r) => anyOf([ofHub(me, r, 'hub'), ofHub(me, r, 'from_hub')]),
  // Both hubs see what was written about a referral, but for the notes of the other.
  referralEntry: (me, r) =>
    sql`(${SCOPES.referralMessage(me, r)} and (${column(r, 'note_of')} is null or ${ofHub(me, r, 'note_of')}))`,
  // A shared comment is visible to both hubs, a note only to the hub that wrote it.
  referralComment: (me, r) =>
    anyOf([
      ofHub(me, r, 'hub'),
      sql`${column(r, 'is_shared')} and ${anyOf([ofHub(me, r, 'to_hub'), ofHub(me, r, 'from_hub')])}`,
    ]),
  // Below a client, but one that belongs to a case is visible with that case.
  signpost: (me, r) => ofClient(me, r, { case: 'case', client: 'client' }),
  clientReferral: (me, r) => ofClient(me, r, { case: 'from_case', client: 'from_client' }),
  // An opening is visible with the client, and with the case or issue that was opened.
  opening: (me, r) =>
    seesAll(me)
      ? sql`true`
      : sql`(${belowRemaining(me, r, 'client')}
          and (${column(r, 'entity')} <> 'case' or ${belowRemaining(me, r, 'case', 'record')})
          and (${column(r, 'entity')} <> 'issue' or ${below(me, r, 'issue', 'record')}))`,
  bulkUpload: (me, r) => anyOf([createdBy(me, r), ofHub(me, r, 'hub')]),
  workNotice: (me, r) =>
    sql`(${column(r, 'staff')} = ${me.id} and (${column(r, 'issue')} is null or ${below(me, r, 'issue')})
      and (${column(r, 'client')} is null or ${below(me, r, 'client')})
      and (${column(r, 'field_comment')} is null or ${me.groups.includes(ROLE.systemAdministrator)}))`,
  // A task is visible to its assignee, and with its issue, else with its case, else with its client; one on none of
  // these also to its maker.
  task: (me, r) => {
    if (seesAll(me)) return sql`true`
    const isMine = sql`${column(r, 'assignee')} = ${me.id}`
    if (seesOwnOnly(me)) return anyOf([isMine, createdBy(me, r)])
    return anyOf([
      isMine,
      ...keptByMaker(me, r),
      sql`(${createdBy(me, r)} and ${isOnNothing(r)})`,
      belowVisible(me, r),
    ])
  },
  // A deadline is visible with its issue, else with its case. Commissioners have figures of them only.
  deadline: (me, r) => {
    if (seesAll(me)) return sql`true`
    return seesOwnOnly(me) ? sql`false` : anyOf([below(me, r, 'issue'), ofVisibleCaseAlone(me, r)])
  },
  // Rows of several entities, distinguished by `kind`. Referrals are the work of hubs; of a draft its list shows no content.
  openWork: (me, r) => {
    const isOf = (kind: string, rule: Sql) => sql`(${column(r, 'kind')} = ${kind} and ${rule})`
    const isOfStaff = sql`exists (select from staff p where p.id = ${column(r, 'staff')} and ${SCOPES.staff(me, 'p')})`
    return anyOf([
      isOf('issue', below(me, r, 'issue')),
      isOf('task', SCOPES.task(me, r)),
      ...(dealsWithReferrals(me) ? [isOf('referral', SCOPES.receivedReferral(me, r))] : []),
      isOf('draft', isOfStaff),
    ])
  },
  // A person sees the tasks that they are to do, also on an issue that they do not see.
  worklist: (me, r) =>
    sql`(${column(r, 'staff')} = ${me.id} and (${column(r, 'task')} is not null and ${column(r, 'assignee')} = ${me.id} or ${below(me, r, 'issue')}))`,
  clientQuestion: (me, r) => sql`${me.id}::int in (${column(r, 'asked_by')}, ${column(r, 'asked_of')})`,
  own: (me, r) => sql`${column(r, 'staff')} = ${me.id}`,
  savedView: (me, r) =>
    anyOf([
      sql`${column(r, 'staff')} = ${me.id}`,
      sql`${column(r, 'shared')} = 'all'`,
      sql`${column(r, 'shared')} = 'team' and ${column(r, 'staff')} in (${teamOf(me)})`,
      sql`${column(r, 'shared')} = 'hub' and ${column(r, 'staff')} in (select id from staff where hub = ${me.hub})`,
    ]),
}

export function dealsWithReferrals(me: Caller): boolean {
  return me.groups.some((role) => REFERRAL_ROLES.includes(role))
}

/** Ids of the people below and above the caller in the line of managers, and of those with the same manager. */
function teamOf(me: Caller): Sql {
  return sql`with recursive above as (
      select line_manager as id from staff where id = ${me.id}
      union select m.line_manager from staff m join above on m.id = above.id
    )
    select id from above where id is not null
    union all select unnest(${me.team}::int[])
    union all select p.id from staff p join staff own on own.line_manager = p.line_manager where own.id = ${me.id}`
}

export type Accessed = 'case' | 'client'

/** The condition that a person holds a principal of a case or client. */
function hasAccess(me: Caller, entity: Accessed, id: Sql): Sql {
  return sql`exists (select ${ofPrincipals(me, entity)} and ${column('access', entity)} = ${id})`
}

/**
 * A query for the ids of the cases or clients that a person may see, off an index of the access rows alone; undefined for
 * other entities, and for those who see every row.
 */
export function accessIds({ scope, scopeKey }: Entity, me: Caller): Sql | undefined {
  if ((scope !== 'case' && scope !== 'client') || scopeKey || seesAll(me)) return undefined
  return sql`select distinct ${column('access', scope)} as id ${ofPrincipals(me, scope)}`
}

function ofPrincipals(me: Caller, entity: Accessed): Sql {
  return sql`from ${sql.table(`${entity}_access`)} access
    where access.principal = any(${principalsOf(me)}::bigint[]) and ${IS_CURRENT}`
}

/** The condition that a row of access rows, under the alias access, has not ended. */
export const IS_CURRENT = sql`(access.until is null or access.until > now())`

/** The condition that a column has one of some ids; of a single id, an index also has the order. */
function isOneOf(row: string, name: string, ids: number[]): Sql {
  return ids.length === 1
    ? sql`${column(row, name)} = ${ids[0]}`
    : sql`${column(row, name)} = any(${ids}::int[])`
}

/** The condition that a row's issue is visible, else its case, else its client. */
function belowVisible(me: Caller, r: string, isBelow: typeof belowRemaining = below): Sql {
  const isOfClient = sql`${column(r, 'case')} is null and ${isBelow(me, r, 'client')}`
  return sql`(${below(me, r, 'issue')}
    or ${column(r, 'issue')} is null and (${isBelow(me, r, 'case')} or ${isOfClient}))`
}

/**
 * The condition that an audit event of a deleted issue is visible with its case: the deletion itself, and what the
 * person did. The issue decided who may see the others.
 */
function ofDeletedIssue(me: Caller, r: string): Sql {
  const isDeletion = sql`${column(r, 'entity')} = 'issue' and ${column(r, 'action')} = 'remove'`
  return sql`(not exists (select 1 from issues g where g.id = ${column(r, 'issue')}) and ${belowRemaining(me, r, 'case')}
    and (${column(r, 'staff')} = ${me.id} or ${isDeletion}))`
}

/**
 * The condition that a person made a row below an issue, case or client, for commissioners, who see what they made;
 * none for others, who see such a row only while they see what it belongs to.
 */
function keptByMaker(me: Caller, r: string): Sql[] {
  return me.groups.includes(ROLE.commissionerAdvocate) ? [createdBy(me, r)] : []
}

/** The condition that a task belongs to no issue, case or client. */
function isOnNothing(r: string): Sql {
  return sql`coalesce(${column(r, 'issue')}, ${column(r, 'case')}, ${column(r, 'client')}) is null`
}

/** The condition for rows of a client, by the columns of their case and client. */
function ofClient(me: Caller, r: string, columns: { case: string; client: string }): Sql {
  if (seesAll(me)) return sql`true`
  if (seesOwnOnly(me)) return createdBy(me, r)
  return anyOf([
    ...keptByMaker(me, r),
    below(me, r, 'case', columns.case),
    sql`${column(r, columns.case)} is null and ${below(me, r, 'client', columns.client)}`,
  ])
}

/** The condition that a given parent of a row is visible; `name` is the column with its id. */
export function below(
  me: Caller,
  r: string,
  parent: 'issue' | 'case' | 'client',
  name: string = parent,
): Sql {
  const id = column(r, name)
  if (seesAll(me)) return sql`${id} is not null`
  if (parent !== 'issue') return hasAccess(me, parent, id)
  return sql`exists (select from issues parent where parent.id = ${id} and ${SCOPES.issue(me, 'parent')})`
}

/** The same for audit events, which keep the number that their client or case had before it was merged. */
function belowRemaining(me: Caller, r: string, parent: Accessed, name: string = parent): Sql {
  const id = column(r, name)
  if (seesAll(me)) return sql`${id} is not null`
  const remaining = sql`(select ${column('m', parent)} from merges m where m.entity = ${sql.lit(parent)} and m.old = ${id})`
  return hasAccess(me, parent, sql`coalesce(${remaining}, ${id})`)
}

/** The condition that a row belongs to a visible case and to no issue. */
function ofVisibleCaseAlone(me: Caller, r: string): Sql {
  return sql`(${column(r, 'issue')} is null and ${below(me, r, 'case')})`
}

/** The condition that an action is visible, for queries that read so many that the ids of visible issues are hashed. */
function isActionOfMany(me: Caller, r: string): Sql {
  if (seesAll(me) || seesOwnOnly(me)) return SCOPES.action(me, r)
  const issues = sql`select i.id from issues i where ${SCOPES.issue(me, 'i')}`
  return sql`(${column(r, 'issue')} in (${issues}) or ${ofVisibleCaseAlone(me, r)})`
}

function ownedFile(
  me: Caller,
  r: string,
  entity: string,
  { table, scope, key }: (typeof FILE_OWNERS)[string],
): Sql {
  const isOwn = key !== 'id' && seesOwnOnly(me) ? createdBy(me, 'o') : sql`true`
  return sql`${column(r, 'entity')} = ${entity} and exists (select 1 from ${sql.table(table)} o
    join ${sql.table(TABLES[scope])} p on p.id = ${column('o', key)}
    where o.id = ${column(r, 'record')} and ${SCOPES[scope](me, 'p')} and ${isOwn}
      ${entity === 'issueDocument' ? sql`and o.error_reason is null` : sql``})`
}

/**
 * The condition for files of documents that were sent along with a referral to the caller's hub, until it is decided. A
 * document that was moved to another client since, or entered in error, is hidden.
 */
function documentOfReferral(me: Caller, r: string): Sql {
  return sql`(${column(r, 'entity')} = 'issueDocument' and exists (select from referral_documents g
    join referral_requests q on q.id = g.request and is_undecided(q.status)
    join issue_documents o on o.id = g.document and o.error_reason is null
    join issues i on i.id = o.issue and i.client = q.from_client
    where g.document = ${column(r, 'record')} and ${SCOPES.receivedReferral(me, 'q')}))`
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

const TABLES: Record<string, string> = {
  issue: 'issues',
  case: 'cases',
  client: 'clients',
  staff: 'staff',
  bulkUpload: 'bulk_uploads',
}

/** The condition for the rows of an entity that this person may see; `row` is the alias in the query. */
export function scoped(entity: Entity, me: Caller, row = 'r'): Sql {
  if (!entity.scope) return sql`true`
  const rule = SCOPES[entity.scope]
  if (!entity.scopeKey) return rule(me, row)
  if (seesAll(me)) return sql`true`
  const table = sql.table(TABLES[entity.scope])
  const isBelow = sql`exists (select 1 from ${table} p where p.id = ${column(row, entity.scopeKey)} and ${rule(me, 'p')})`
  return seesOwnOnly(me) && 'created_by' in entity.properties
    ? sql`(${createdBy(me, row)} and ${isBelow})`
    : isBelow
}

/** The condition of a scope by its name, for a handler's own query. */
export function visibleTo(scope: string, me: Caller, row: string): Sql {
  return SCOPES[scope](me, row)
}

/** Scopes in which an administrator sees every row. */
const UNRESTRICTED_TO_ADMINISTRATORS = [
  'issue',
  'case',
  'client',
  'staff',
  'action',
  'activity',
  'actionOrActivity',
  'history',
  'task',
  'signpost',
  'clientReferral',
  'opening',
  'deadline',
]

/** True if this person may see all rows of an entity. */
export function seesEveryRow({ scope }: Entity, me: Caller): boolean {
  return scope === undefined || (seesAll(me) && UNRESTRICTED_TO_ADMINISTRATORS.includes(scope))
}

/** True for administrators. */
export function seesAll(me: Caller): boolean {
  return me.groups.includes(ROLE.systemAdministrator)
}

/** True for commissioners who may not read the records of their contracts: what others did on a record is hidden. */
export function seesOwnOnly(me: Caller): boolean {
  return !me.readsContracts && me.groups.every((id) => id === ROLE.commissionerAdvocate)
}

function has(me: Caller) {
  return ({ roles }: { roles: number[] }) => me.groups.some((id) => roles.includes(id))
}

function ofHub(me: Caller, row: string, name: string): Sql {
  return seesAll(me) ? sql`true` : sql`${column(row, name)} = ${me.hub}`
}

/** Excludes referrals that the public form classified as spam. */
function isNotSpam(row: string): Sql {
  return sql`${column(row, 'status')} <> ${sql.lit(REFERRAL_STATUS.spam)}`
}

/** The condition that a person created a row. */
export function createdBy(me: Caller, row: string): Sql {
  return sql`${column(row, 'created_by')} = ${me.id}`
}

/** Joins conditions by OR. */
export function anyOf(rules: Sql[]): Sql {
  return sql`(${sql.join(rules, sql` or `)})`
}
