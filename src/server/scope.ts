import { sql } from 'kysely'
import type { Entity } from '../contract/generated.ts'
import { ROLE } from '../contract/roles.ts'
import { REFERRAL_STATUS } from '../contract/status.ts'
import type { Sql } from './db.ts'
import type { Caller } from './signIn/session.ts'

type Rule = (me: Caller, row: string) => Sql

/** A column of the rows under an alias. */
export const column = (row: string, name: string) => sql.ref(`${row}.${name}`)

/** Whose issues a role sees: conditions of which any is enough. Of a place, a hub or contracts, they are many. */
const ISSUE_RULES: { roles: number[]; ofPlace?: true; reasons: (me: Caller, row: string) => Sql[] }[] = [
  { roles: [ROLE.systemAdministrator], reasons: () => [sql`true`] },
  {
    roles: [ROLE.advocateManager, ROLE.partnerManager],
    reasons: (me, r) => [sql`${column(r, 'advocate')} = any(${me.team}::int[])`, unallocated(me, r)],
  },
  {
    roles: [ROLE.advocate, ROLE.volunteerAdvocate, ROLE.partner],
    reasons: (me, r) => [sql`${column(r, 'advocate')} = ${me.id}`, unallocated(me, r)],
  },
  {
    roles: [ROLE.hub, ROLE.hubManager],
    ofPlace: true,
    reasons: (me, r) => [sql`${column(r, 'hub')} = ${me.hub}`],
  },
  {
    roles: [ROLE.commissionerAdvocate],
    ofPlace: true,
    reasons: (me, r) =>
      me.readsContracts ? [sql`${column(r, 'contract')} = any(${me.contracts}::int[])`] : [],
  },
]

const ACTIVITY_RULES: { roles: number[]; rule: Rule }[] = [
  { roles: [ROLE.systemAdministrator], rule: () => sql`true` },
  {
    roles: [ROLE.advocateManager, ROLE.partnerManager],
    rule: (me, r) => sql`${column(r, 'created_by')} = any(${me.team}::int[])`,
  },
  {
    roles: [ROLE.hubManager],
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

/** The records that keep files, and whose scope theirs is: table, scope, column that the scope compares. */
const FILES_OF: Record<string, { table: string; scope: string; key: string }> = {
  case: { table: 'cases', scope: 'case', key: 'id' },
  issue: { table: 'issues', scope: 'issue', key: 'id' },
  issueDocument: { table: 'issue_documents', scope: 'issue', key: 'issue' },
  risk: { table: 'risks', scope: 'client', key: 'client' },
  communicationIssue: { table: 'communication_issues', scope: 'client', key: 'client' },
}

/** Owners of the pictures of notes: of a published case type, and of what administrators still shape. */
export const PUBLISHED_PICTURE = 'caseType'
export const DRAFT_PICTURE = 'caseTypeDraft'

/**
 * The rows a person may see, one rule an entity; several roles are the union. Scope hangs on the issue; a case or client
 * is seen where one of its issues is, or by whoever made it.
 */
export const SCOPES: Record<string, Rule> = {
  issue: isVisibleIssue,
  case: (me, r) =>
    seesAll(me)
      ? sql`true`
      : sql`(${createdBy(me, r)} or exists (select 1 from issues i where i."case" = ${column(r, 'id')} and ${SCOPES.issue(me, 'i')}))`,
  // `offset 0` keeps the planner from joining all visible issues: only those of one client are needed.
  client: (me, r) =>
    seesAll(me)
      ? sql`true`
      : sql`(${createdBy(me, r)} or exists (select from cases k where k.client = ${column(r, 'id')} and ${createdBy(me, 'k')})
          or exists (select from issues i where i.client = ${column(r, 'id')} and ${SCOPES.issue(me, 'i')} offset 0))`,
  staff: (me, r) =>
    anyOf([
      sql`${column(r, 'id')} = any(${me.team}::int[])`,
      ...(seesAll(me) ? [sql`true`] : []),
      ...(me.groups.includes(ROLE.hubManager) ? [sql`${column(r, 'hub')} = ${me.hub}`] : []),
    ]),
  // An action always has a case, and its issue is there as long as it is.
  action: (me, r) => {
    if (seesAll(me)) return sql`true`
    if (seesOwnOnly(me)) return createdBy(me, r)
    return anyOf([createdBy(me, r), below(me, r, 'issue'), ofVisibleCaseAlone(me, r)])
  },
  activity: (me, r) =>
    anyOf([createdBy(me, r), ...ACTIVITY_RULES.filter(has(me)).map(({ rule }) => rule(me, r))]),
  // Rows of both, told apart by their kind.
  actionOrActivity: (me, r) => sql`(${column(r, 'kind')} = 'action' and ${SCOPES.action(me, r)}
    or ${column(r, 'kind')} = 'activity' and ${SCOPES.activity(me, r)})`,
  history: (me, r) => {
    if (seesAll(me)) return sql`true`
    const isBelow = belowVisible(me, r)
    return seesOwnOnly(me) ? sql`(${isBelow} and ${column(r, 'staff')} = ${me.id})` : isBelow
  },
  file: (me, r) =>
    anyOf([
      createdBy(me, r),
      managedFile(me, r),
      notePicture(me, r),
      ...Object.entries(FILES_OF).map(([entity, owner]) => ownedFile(me, r, entity, owner)),
    ]),
  // The sending hub and the receiving one.
  referral: (me, r) => anyOf([SCOPES.receivedReferral(me, r), SCOPES.sentReferral(me, r)]),
  receivedReferral: (me, r) => sql`(${ofHub(me, r, 'hub')} and ${noSpam(r)})`,
  referralSpam: (me, r) =>
    sql`(${ofHub(me, r, 'hub')} and ${column(r, 'status')} = ${sql.lit(REFERRAL_STATUS.spam)})`,
  sentReferral: (me, r) => sql`(${ofHub(me, r, 'from_hub')} and ${noSpam(r)})`,
  referralMessage: (me, r) => anyOf([ofHub(me, r, 'hub'), ofHub(me, r, 'from_hub')]),
  // What is shared is read by both hubs, a note only by the one that wrote it.
  referralComment: (me, r) =>
    anyOf([
      ofHub(me, r, 'hub'),
      sql`${column(r, 'is_shared')} and ${anyOf([ofHub(me, r, 'to_hub'), ofHub(me, r, 'from_hub')])}`,
    ]),
  bulkUpload: (me, r) => anyOf([createdBy(me, r), ofHub(me, r, 'hub')]),
  workNotice: (me, r) =>
    sql`(${column(r, 'staff')} = ${me.id} and (${column(r, 'issue')} is null or ${below(me, r, 'issue')}))`,
  // The tasks of an issue, of a case as such or of a client as such are seen with it.
  task: (me, r) => {
    if (seesAll(me)) return sql`true`
    const own = [sql`${column(r, 'assignee')} = ${me.id}`, createdBy(me, r)]
    if (seesOwnOnly(me)) return anyOf(own)
    return anyOf([...own, belowVisible(me, r, sql`${column(r, 'issue')} is null`)])
  },
  // A task, whose number stands below zero, is of whom it was given to.
  worklist: (me, r) =>
    sql`(${column(r, 'staff')} = ${me.id} and (${column(r, 'id')} < 0 or ${below(me, r, 'issue')}))`,
  own: (me, r) => sql`${column(r, 'staff')} = ${me.id}`,
  savedView: (me, r) =>
    anyOf([
      sql`${column(r, 'staff')} = ${me.id}`,
      sql`${column(r, 'shared')} = 'team' and ${column(r, 'staff')} in (${teamOf(me)})`,
      sql`${column(r, 'shared')} = 'hub' and ${column(r, 'staff')} in (select id from staff where hub = ${me.hub})`,
    ]),
}

/** Ids of the people below and above the caller in the line of managers, and of those who share a manager with them. */
function teamOf(me: Caller): Sql {
  return sql`with recursive above as (
      select line_manager as id from staff where id = ${me.id}
      union select m.line_manager from staff m join above on m.id = above.id
    )
    select id from above where id is not null
    union all select unnest(${me.team}::int[])
    union all select p.id from staff p join staff own on own.line_manager = p.line_manager where own.id = ${me.id}`
}

/** Conditions of which any is enough to see an issue: of somebody's caseload, and of their hub or contracts. */
export function issueReasons(me: Caller, r: string): { ofCaseload: Sql[]; ofPlace: Sql[] } {
  const rules = ISSUE_RULES.filter(has(me))
  const of = (some: typeof rules) => some.flatMap(({ reasons }) => reasons(me, r))
  const ofCaseload = [createdBy(me, r), ...of(rules.filter(({ ofPlace }) => !ofPlace))]
  return { ofCaseload, ofPlace: of(rules.filter(({ ofPlace }) => ofPlace)) }
}

/** The same as one condition. */
export function isVisibleIssue(me: Caller, r: string): Sql {
  const { ofCaseload, ofPlace } = issueReasons(me, r)
  return anyOf([...ofCaseload, ...ofPlace])
}

/** Rows below an issue, else a case, else a client; for a deleted issue, the parent's rule applies. */
function belowVisible(me: Caller, r: string, noIssue = hasNoIssue(r)): Sql {
  const isOfClient = sql`${column(r, 'case')} is null and ${below(me, r, 'client')}`
  return sql`(${below(me, r, 'issue')} or ${noIssue} and (${below(me, r, 'case')} or ${isOfClient}))`
}

/** Rows whose issue, case or client this person sees. */
function below(me: Caller, r: string, parent: 'issue' | 'case' | 'client'): Sql {
  return sql`exists (select 1 from ${sql.table(TABLES[parent])} parent
    where parent.id = ${column(r, parent)} and ${SCOPES[parent](me, 'parent')})`
}

/** Rows of a case that this person sees, and of none of its issues. */
export function ofVisibleCaseAlone(me: Caller, r: string): Sql {
  return sql`(${column(r, 'issue')} is null and ${below(me, r, 'case')})`
}

function hasNoIssue(r: string): Sql {
  return sql`not exists (select 1 from issues g where g.id = ${column(r, 'issue')})`
}

function ownedFile(
  me: Caller,
  r: string,
  entity: string,
  { table, scope, key }: (typeof FILES_OF)[string],
): Sql {
  return sql`${column(r, 'entity')} = ${entity} and exists (select 1 from ${sql.table(table)} o
    join ${sql.table(TABLES[scope])} p on p.id = ${column('o', key)}
    where o.id = ${column(r, 'record')} and ${SCOPES[scope](me, 'p')})`
}

/** Files that administrators keep: theirs, and everybody's where they say so. */
function managedFile(me: Caller, r: string): Sql {
  const offered = sql`exists (select 1 from lookup l where l.kind = 'file' and l.value = ${column(r, 'record')}
    and l.active and l.attrs @> '{"downloadable": true}')`
  return sql`${column(r, 'entity')} = 'managedFile' and ${seesAll(me) ? sql`true` : offered}`
}

/** Pictures of notes: the published ones, of a draft only for those who shape it. */
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

/** The condition that keeps the rows of an entity that this person may see; `row` is the alias in the query. */
export function scoped(entity: Entity, me: Caller, row = 'r'): Sql {
  if (!entity.scope) return sql`true`
  const rule = SCOPES[entity.scope]
  if (!entity.scopeKey) return rule(me, row)
  if (seesAll(me)) return sql`true`
  const table = sql.table(TABLES[entity.scope])
  return sql`exists (select 1 from ${table} p where p.id = ${column(row, entity.scopeKey)} and ${rule(me, 'p')})`
}

/** The condition of a scope by its name, for a handler's own query. */
export function visibleTo(scope: string, me: Caller, row: string): Sql {
  return SCOPES[scope](me, row)
}

/** Scopes that leave nothing out for administrators; of referrals spam is, and what is one's own is nobody else's. */
const WHOLE_TO_ADMINISTRATORS = [
  'issue',
  'case',
  'client',
  'staff',
  'action',
  'activity',
  'actionOrActivity',
  'history',
  'task',
]

/** Whether all rows of an entity are this person's to see. */
export function seesEveryRow({ scope }: Entity, me: Caller): boolean {
  return scope === undefined || (seesAll(me) && WHOLE_TO_ADMINISTRATORS.includes(scope))
}

/** Administrators. */
export function seesAll(me: Caller): boolean {
  return me.groups.includes(ROLE.systemAdministrator)
}

/** Whether somebody may see all of a hub or of contracts, which is much, rather than a caseload. */
export function seesByPlace(me: Caller): boolean {
  return ISSUE_RULES.filter(has(me)).some(({ ofPlace }) => ofPlace)
}

/** Commissioners: what others did on a record that they made is not theirs. */
export function seesOwnOnly(me: Caller): boolean {
  return !me.readsContracts && me.groups.every((id) => id === ROLE.commissionerAdvocate)
}

function has(me: Caller) {
  return ({ roles }: { roles: number[] }) => me.groups.some((id) => roles.includes(id))
}

function ofHub(me: Caller, row: string, name: string): Sql {
  return seesAll(me) ? sql`true` : sql`${column(row, name)} = ${me.hub}`
}

/** What the public form took for spam counts as no referral. */
function noSpam(row: string): Sql {
  return sql`${column(row, 'status')} <> ${sql.lit(REFERRAL_STATUS.spam)}`
}

/** Rows that a person made. */
export function createdBy(me: Caller, row: string): Sql {
  return sql`${column(row, 'created_by')} = ${me.id}`
}

function unallocated(me: Caller, row: string): Sql {
  return sql`(${column(row, 'advocate')} is null and ${column(row, 'service')} = any(${me.services}::int[]))`
}

/** Conditions of which one is enough. */
export function anyOf(rules: Sql[]): Sql {
  return sql`(${sql.join(rules, sql` or `)})`
}
