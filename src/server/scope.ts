import { sql } from 'kysely'
import type { Entity } from '../contract/types.ts'
import type { Sql } from './db.ts'
import type { Caller } from './session.ts'

type Rule = (me: Caller, row: string) => Sql

const column = (row: string, name: string) => sql.ref(`${row}.${name}`)

const ISSUE_RULES: { roles: number[]; rule: Rule }[] = [
  { roles: [1], rule: () => sql`true` },
  {
    roles: [2, 9],
    rule: (me, r) => sql`(${column(r, 'advocate')} = any(${me.team}::int[]) or ${unallocated(me, r)})`,
  },
  { roles: [4, 6, 8], rule: (me, r) => sql`(${column(r, 'advocate')} = ${me.id} or ${unallocated(me, r)})` },
  { roles: [3, 7], rule: (me, r) => sql`${column(r, 'hub')} = ${me.hub}` },
  { roles: [5], rule: (me, r) => sql`${column(r, 'contract')} = any(${me.contracts}::int[])` },
]

/**
 * The rows a person may see, one rule an entity; several roles are the union. Scope hangs on the issue; a case or client
 * is seen where one of its issues is, or by whoever made it.
 */
const SCOPES: Record<string, Rule> = {
  issue: (me, r) => anyOf([madeBy(me, r), ...ISSUE_RULES.filter(has(me)).map(({ rule }) => rule(me, r))]),
  case: (me, r) =>
    seesAll(me)
      ? sql`true`
      : sql`(${madeBy(me, r)} or exists (select 1 from issues i where i."case" = ${column(r, 'id')} and ${SCOPES.issue(me, 'i')}))`,
  client: (me, r) =>
    seesAll(me)
      ? sql`true`
      : sql`(${madeBy(me, r)} or exists (select 1 from cases k where k.client = ${column(r, 'id')} and ${SCOPES.case(me, 'k')}))`,
  staff: (me, r) =>
    anyOf([
      sql`${column(r, 'id')} = any(${me.team}::int[])`,
      ...(seesAll(me) ? [sql`true`] : []),
      ...(me.groups.includes(7) ? [sql`${column(r, 'hub')} = ${me.hub}`] : []),
    ]),
  file: (me, r) => sql`(${madeBy(me, r)}
    or ${column(r, 'entity')} = 'case' and exists (select 1 from cases k where k.id = ${column(r, 'record')} and ${SCOPES.case(me, 'k')})
    or ${column(r, 'entity')} = 'issue' and exists (select 1 from issues i where i.id = ${column(r, 'record')} and ${SCOPES.issue(me, 'i')}))`,
  own: (me, r) => sql`${column(r, 'staff')} = ${me.id}`,
}

const TABLES: Record<string, string> = { issue: 'issues', case: 'cases', client: 'clients', staff: 'staff' }

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

function seesAll(me: Caller): boolean {
  return me.groups.includes(1)
}

function has(me: Caller) {
  return ({ roles }: { roles: number[] }) => me.groups.some((id) => roles.includes(id))
}

function madeBy(me: Caller, row: string): Sql {
  return sql`${column(row, 'created_by')} = ${me.id}`
}

function unallocated(me: Caller, row: string): Sql {
  return sql`(${column(row, 'advocate')} is null and ${column(row, 'service')} = any(${me.services}::int[]))`
}

function anyOf(rules: Sql[]): Sql {
  return sql`(${sql.join(rules, sql` or `)})`
}
