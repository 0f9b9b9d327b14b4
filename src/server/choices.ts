import { sql } from 'kysely'
import type { Call } from './call.ts'
import type { Sql } from './db.ts'
import { escapeLike } from './query.ts'
import { whoMaySignIn } from './signIn/maySignIn.ts'

const MOST = 2000
/** The role that is not offered for staff; those who have it keep it. */
const COMMISSIONER = 5

/** One choice; other keys as the lookup has them. */
export interface Item {
  value: number
  label: string
  [key: string]: unknown
}
/** Parameters of a lookup as its call gets them; several values stand between commas and mean OR. */
export type Given = Record<string, string>
/** The part of a call that lookups need. */
export type Asking = Pick<Call, 'db' | 'me' | 'contract'>
type Source = (call: Asking, given: Given, only?: number[]) => Promise<Item[]>

/** Lookups whose items are rows of other tables. */
const SOURCES: Record<string, Source> = {
  staff: async ({ db, me }, given, only) => {
    const where = [
      ...(given.active === 'false' ? [sql`true`] : [whoMaySignIn('a')]),
      ...among(sql`a.id`, only),
      ...(given.term ? [sql`a.search like '%' || searchable(${escapeLike(given.term)}) || '%'`] : []),
      ...(given.role ? [sql`a.groups && ${numbers(given.role)}::int[]`] : []),
      ...(given.line_manager ? [sql`a.line_manager = ${asId(given.line_manager, me.id)}`] : []),
      ...(given.not_line_manager
        ? [sql`a.line_manager is distinct from ${asId(given.not_line_manager, me.id)}`]
        : []),
    ]
    return items(
      db,
      sql`select a.id as value, trim(a.first_name || ' ' || a.last_name) as label, a.groups, a.status
      from staff a where ${sql.join(where, sql` and `)} order by label limit ${MOST}`,
    )
  },
  contracts: async ({ db, me }, given, only) => {
    const mine = given.staff ? asId(given.staff, me.id) : me.id
    const where = [
      sql`l.kind = 'contracts'`,
      ...(given.active === 'false' ? [] : [sql`l.active`]),
      ...among(sql`l.value`, only),
      ...(given.term ? [named(sql`l.label`, given.term)] : []),
      ...(given.service ? [sql`(l.attrs -> 'service')::int = any(${numbers(given.service)}::int[])`] : []),
      ...(given.own_cases === 'true'
        ? [sql`exists (select 1 from issues i where i.contract = l.value and i.advocate = ${mine})`]
        : []),
      ...(given.unallocated === 'true'
        ? [
            sql`exists (select 1 from issues i where i.contract = l.value and i.advocate is null and i.is_opened)`,
          ]
        : []),
      ...(given.staff ? [workedOn(sql`s.id = ${mine}`)] : []),
      ...(given.role
        ? [workedOn(sql`${whoMaySignIn('s')} and s.groups && ${numbers(given.role)}::int[]`)]
        : []),
    ]
    return items(
      db,
      sql`select l.value, l.label, l.attrs -> 'service' as service ${given.active === 'false' ? sql`, l.active` : sql``} from lookup l
      where ${sql.join(where, sql` and `)} order by l.active desc, l.position, l.label limit ${MOST}`,
    )
  },
  caseTypes: async ({ db }, given, only) => {
    const where = [
      sql`t.version > 0`,
      ...among(sql`t.id`, only),
      ...(given.term ? [named(sql`t.label`, given.term)] : []),
      ...(given.service ? [sql`t.service = any(${numbers(given.service)}::int[])`] : []),
    ]
    return items(
      db,
      sql`select t.id as value, t.label, t.service, t.version, t.case_meta, t.issue_meta, t.status = 1 as active
      from case_types t where ${sql.join(where, sql` and `)} order by t.status, t.label`,
    )
  },
  roles: async ({ contract }) => {
    const roles = [...contract.roles.roles].sort((a, b) => a.id - b.id)
    return roles.map(({ id, label }) => ({ value: id, label, ...(id === COMMISSIONER && { active: false }) }))
  },
}

/** The choices of a lookup as its call answers them, retired ones only with active=false; `only` looks among some values. */
export function choicesOf(call: Asking, name: string, given: Given, only?: number[]): Promise<Item[]> {
  const { from, by = [] } = call.contract.lookups[name] ?? {}
  return from ? SOURCES[from](call, given, only) : lookupItems(call, name, by, given, only)
}

/**
 * The items of a lookup in their order; retired ones last. A parameter of the descriptor keeps items whose key of that
 * name equals it, or whose list of that plural holds it, or that say nothing.
 */
async function lookupItems(
  { db }: Asking,
  kind: string,
  by: string[],
  given: Given,
  only?: number[],
): Promise<Item[]> {
  const filters = by
    .filter((name) => given[name] && name !== 'term')
    .map((name) => matches(name, given[name]))
  const term = given.term ? [named(sql`label`, given.term)] : []
  const active = given.active === 'false' ? [] : [sql`active`]
  const where = sql.join(
    [sql`kind = ${kind}`, ...active, ...among(sql`value`, only), ...term, ...filters],
    sql` and `,
  )
  const { rows } = await sql<{
    item: Item
  }>`select attrs || jsonb_build_object('value', value, 'label', label)
      || case when active then '{}'::jsonb else '{"active": false}'::jsonb end as item
    from lookup where ${where} order by active desc, position, value limit ${MOST}`.execute(db)
  return rows.map(({ item }) => item)
}

function matches(name: string, given: string): Sql {
  const wanted = given.split(',').map((one) => (/^(true|false)$/.test(one) ? one : String(number(one))))
  const plural = `${name}s`
  return sql`(case when attrs -> ${name} is not null then attrs -> ${name} = any(${wanted}::jsonb[])
    when jsonb_typeof(attrs -> ${plural}) = 'array' then attrs -> ${plural} @> any(${wanted}::jsonb[])
    else ${given} <> 'true' end)`
}

/** Contracts l that somebody of these works on: those that they name, or all of their services. */
function workedOn(staff: Sql): Sql {
  return sql`exists (select 1 from staff s where ${staff} and case when cardinality(s.contracts) > 0
    then l.value = any(s.contracts) else (l.attrs -> 'service')::int = any(s.services) end)`
}

function among(column: Sql, only: number[] | undefined): Sql[] {
  return only ? [sql`${column} = any(${only}::int[])`] : []
}

function named(column: Sql, term: string): Sql {
  return sql`searchable(${column}) like '%' || searchable(${escapeLike(term)}) || '%'`
}

async function items(db: Call['db'], query: Sql): Promise<Item[]> {
  return (await query.execute(db)).rows as Item[]
}

function numbers(text: string): number[] {
  return text.split(',').map(number)
}

function number(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}

function asId(text: string, me: number): number {
  return text === 'me' ? me : number(text)
}
