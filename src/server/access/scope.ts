import { sql } from 'kysely'
import type { Entity } from '../../contract/generated.ts'
import { ROLE } from '../../contract/roles.ts'
import { REFERRAL_STATUS } from '../../contract/status.ts'
import type { Caller } from '../core/call.ts'
import type { Sql } from '../core/db.ts'
import { dealsWithReferrals, seesAll, seesOwnOnly } from './callerRights.ts'
import { fileScope, type Rule } from './fileScope.ts'
import { holds } from './principals.ts'
import {
  anyOf,
  below,
  belowRemaining,
  belowVisible,
  column,
  createdBy,
  hasAccess,
  madeByCommissioner,
  ofClient,
  ofDeletedIssue,
  ofVisibleCaseAlone,
  seesIssue,
  TABLES,
} from './visibleParents.ts'

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

/**
 * Conditions for the rows that a person may see, by scope; several roles are the union. An issue is visible to those
 * who hold one of its principals. The rows of client_access and case_access say who may see a case or client: its
 * creator, and everybody who may see one of its issues.
 */
export const SCOPES: Record<string, Rule> = {
  issue: seesIssue,
  case: (me, r) => (seesAll(me) ? sql`true` : hasAccess(me, 'case', column(r, 'id'))),
  client: (me, r) => (seesAll(me) ? sql`true` : hasAccess(me, 'client', column(r, 'id'))),
  invalidIssue: (me, r) =>
    sql`(${seesIssue(me, r)} and (${column(r, 'is_invalid')} or ${sharesNhsNumber(me, r)}))`,
  staff: (me, r) =>
    anyOf([
      sql`${column(r, 'id')} = any(${me.team}::int[])`,
      ...(seesAll(me) ? [sql`true`] : []),
      ...(me.groups.includes(ROLE.hubManager) ? [sql`${column(r, 'hub')} = ${me.hub}`] : []),
    ]),
  // The people whose weekly work a report counts: hub advisers see that of their hub, but not its people's records.
  staffOfReport: (me, r) =>
    anyOf([
      SCOPES.staff(me, r),
      ...(me.groups.includes(ROLE.hub) ? [sql`${column(r, 'hub')} = ${me.hub}`] : []),
    ]),
  // An action always has a case, and its issue cannot be deleted before it. Its author sees it only while they see its
  // issue or case.
  action: (me, r) => {
    if (seesAll(me)) return sql`true`
    if (seesOwnOnly(me)) return createdBy(me, r)
    return anyOf([...madeByCommissioner(me, r), below(me, r, 'issue'), ofVisibleCaseAlone(me, r)])
  },
  activity: (me, r) =>
    anyOf([createdBy(me, r), ...ACTIVITY_RULES.filter(has(me)).map(({ rule }) => rule(me, r))]),
  // Rows of both entities, distinguished by `kind`. A person's hours stay in their figures of time when they can no
  // longer see the action's record; the row then has no link to it.
  actionOrActivity: (
    me,
    r,
  ) => sql`(${column(r, 'kind')} = 'action' and ${anyOf([createdBy(me, r), SCOPES.action(me, r)])}
    or ${column(r, 'kind')} = 'activity' and ${SCOPES.activity(me, r)})`,
  history: (me, r) => {
    if (seesAll(me)) return sql`true`
    const isVisible = anyOf([belowVisible(me, r, belowRemaining), ofDeletedIssue(me, r)])
    return seesOwnOnly(me) ? sql`(${isVisible} and ${column(r, 'staff')} = ${me.id})` : isVisible
  },
  file: (me, r) => fileScope(me, r, SCOPES),
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
  // A signpost is visible with its case, or with its client if it has no case.
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
      ...madeByCommissioner(me, r),
      sql`(${createdBy(me, r)} and ${isOnNothing(r)})`,
      belowVisible(me, r),
    ])
  },
  // A deadline is visible with its issue, else with its case. Commissioners see only figures of deadlines.
  deadline: (me, r) => {
    if (seesAll(me)) return sql`true`
    return seesOwnOnly(me) ? sql`false` : anyOf([below(me, r, 'issue'), ofVisibleCaseAlone(me, r)])
  },
  // Rows of several entities, distinguished by `kind`. Referrals are the work of hubs; of drafts the list shows no
  // content.
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
  // Steps that the person is to do, also on an issue that they do not see, and what else there is on their own issues.
  worklist: (me, r) => {
    const isOwn = sql`${column(r, 'staff')} = ${me.id}`
    if (holds(me, 'advocate', me.id)) return isOwn
    const isToDo = sql`${column(r, 'task')} is not null and ${column(r, 'assignee')} = ${me.id}`
    return sql`(${isOwn} and (${isToDo} or ${below(me, r, 'issue')}))`
  },
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

/** True if another visible client has the NHS number of an issue's client. */
export function sharesNhsNumber(me: Caller, row: string): Sql {
  return sql`exists (select from same_nhs_numbers n
    where n.client = ${column(row, 'client')} and ${below(me, 'n', 'client', 'other')})`
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

/** The condition that a task belongs to no issue, case or client. */
function isOnNothing(r: string): Sql {
  return sql`coalesce(${column(r, 'issue')}, ${column(r, 'case')}, ${column(r, 'client')}) is null`
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

/** Scopes of the caller's own rows, of which everybody has few. */
const OWN = ['own', 'worklist', 'workNotice']

/** True if a person sees only their own rows of an entity. */
export function seesOwnRows({ scope }: Entity): boolean {
  return scope !== undefined && OWN.includes(scope)
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
