import { sql } from 'kysely'
import type { Call } from '../call.ts'
import type { Row, Sql } from '../db.ts'
import { escapeLike } from '../query.ts'

const MOST = 2000
type Given = Record<string, string>
type Source = (call: Call, given: Given) => Promise<unknown[]>

/** Lookups whose items are rows of other tables. */
export const LOOKUP_SOURCES: Record<string, Source> = {
  staff: async ({ db, me }, given) => {
    const roles = (given.role ?? '').split(',').filter(Boolean).map(Number)
    const where = [
      sql`a.status in (1, 4)`,
      ...(given.term
        ? [
            sql`searchable(a.first_name || ' ' || a.last_name) like '%' || searchable(${escapeLike(given.term)}) || '%'`,
          ]
        : []),
      ...(roles.length > 0 ? [sql`a.groups && ${roles}::int[]`] : []),
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
  contracts: async ({ db, me }, given) => {
    const mine = given.staff ? asId(given.staff, me.id) : me.id
    const where = [
      sql`l.kind = 'contracts' and l.active`,
      ...(given.term
        ? [sql`searchable(l.label) like '%' || searchable(${escapeLike(given.term)}) || '%'`]
        : []),
      ...(given.service ? [sql`(l.attrs -> 'service')::int = ${number(given.service)}`] : []),
      ...(given.own_cases === 'true'
        ? [sql`exists (select 1 from issues i where i.contract = l.value and i.advocate = ${mine})`]
        : []),
      ...(given.unallocated === 'true'
        ? [
            sql`exists (select 1 from issues i where i.contract = l.value and i.advocate is null and i.is_opened)`,
          ]
        : []),
      ...(given.staff ? [sql`l.value = any((select contracts from staff where id = ${mine})::int[])`] : []),
    ]
    return items(
      db,
      sql`select l.value, l.label, l.attrs -> 'service' as service from lookup l
      where ${sql.join(where, sql` and `)} order by l.position, l.label limit ${MOST}`,
    )
  },
  caseTypes: async ({ db }, given) => {
    const where = [
      sql`true`,
      ...(given.term
        ? [sql`searchable(t.label) like '%' || searchable(${escapeLike(given.term)}) || '%'`]
        : []),
      ...(given.service ? [sql`t.service = ${number(given.service)}`] : []),
    ]
    return items(
      db,
      sql`select t.id as value, t.label, t.service, t.version, t.case_meta, t.issue_meta
      from case_types t where ${sql.join(where, sql` and `)} order by t.label`,
    )
  },
  roles: async ({ contract }) => contract.roles.roles.map(({ id, label }) => ({ value: id, label })),
}

/**
 * The items of a lookup in their order; retired ones only with active=false, and then last. A parameter of the
 * descriptor keeps items whose key of that name equals it, or whose list of that plural holds it, or that say nothing.
 */
export async function lookupItems(
  { db }: Call,
  kind: string,
  by: string[],
  given: Given,
): Promise<unknown[]> {
  const filters = by
    .filter((name) => given[name] && name !== 'term')
    .map((name) => matches(name, given[name]))
  const term = given.term
    ? [sql`searchable(label) like '%' || searchable(${escapeLike(given.term)}) || '%'`]
    : []
  const active = given.active === 'false' ? [] : [sql`active`]
  const where = sql.join([sql`kind = ${kind}`, ...active, ...term, ...filters], sql` and `)
  const { rows } = await sql<{ item: Row }>`select attrs || jsonb_build_object('value', value, 'label', label)
      || case when active then '{}'::jsonb else '{"active": false}'::jsonb end as item
    from lookup where ${where} order by active desc, position, value limit ${MOST}`.execute(db)
  return rows.map(({ item }) => item)
}

function matches(name: string, given: string): Sql {
  const json = JSON.stringify(given === 'true' ? true : number(given))
  const plural = `${name}s`
  return sql`(case when attrs -> ${name} is not null then attrs -> ${name} = ${json}::jsonb
    when jsonb_typeof(attrs -> ${plural}) = 'array' then attrs -> ${plural} @> ${json}::jsonb
    else ${given} <> 'true' end)`
}

async function items(db: Call['db'], query: Sql): Promise<unknown[]> {
  return (await query.execute(db)).rows
}

function number(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}

function asId(text: string, me: number): number {
  return text === 'me' ? me : number(text)
}
