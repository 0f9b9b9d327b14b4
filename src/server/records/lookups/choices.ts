import { sql } from 'kysely'
import { textKey } from '../../../contract/compareKey.ts'
import type { Contract } from '../../../contract/contract.ts'
import type { Lookup } from '../../../contract/generated.ts'
import { NOT_OWN, PARENTS_OF } from '../../../contract/lookupCall.ts'
import { ROLE } from '../../../contract/roles.ts'
import { STATUS } from '../../../contract/status.ts'
import { whoMaySignIn } from '../../access/maySignIn.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call, Caller } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { containsKey, escapeLike, hasNamePart, searchWords } from '../query/query.ts'

/** A choice, with the further keys of its lookup. */
export interface Item {
  value: number
  label: string
  [key: string]: unknown
}
/** Parameters of a lookup's call; several values are separated by commas and mean OR. */
export type LookupParams = Record<string, string>
/** The part of a call that lookups need. */
export type LookupCall = Pick<Call, 'db' | 'me' | 'choices'> & { contract: Contract }
/** The first of the matching choices, and the number of all that match. */
export interface Choices {
  items: Item[]
  count: number
}
interface Narrowed {
  /** True includes retired choices, with `active` false. */
  withRetired: boolean
  /** Only these values. */
  only?: number[]
}
/**
 * A query for rows that are choices, or have one as `item`, with the number of all as `total`; or the choices
 * themselves if they are in no table.
 */
type Source = (call: LookupCall, params: LookupParams, narrowed: Narrowed) => Sql | Item[]

const TOTAL = sql`count(*) over ()::int as total`

/** Lookups whose items are rows of other tables. */
const SOURCES: Record<string, Source> = {
  staff: ({ me }, params, { withRetired, only }) => {
    const where = [
      withRetired ? sql`true` : whoMaySignIn('a'),
      ...onlyValues(sql`a.id`, only),
      ...searchWords(params.term ?? '').map((word) => hasNamePart(sql`a.search_key`, word)),
      ...(params.role ? [sql`a.groups && ${numbers(params.role)}::int[]`] : []),
      ...(params.service ? [sql`a.services && ${numbers(params.service)}::int[]`] : []),
      ...(params.contract ? [worksOnOneOf(params.contract)] : []),
      ...(params.self === 'true' ? [sql`a.id = ${me.id}`] : []),
      ...(String(params.managed) === 'true'
        ? [sql`(a.id = ${me.id} or ${visibleTo('staff', me, 'a')})`]
        : []),
      ...(params.line_manager ? [sql`a.line_manager = ${asId(params.line_manager, me.id)}`] : []),
      ...(params.not_line_manager
        ? [sql`a.line_manager is distinct from ${asId(params.not_line_manager, me.id)}`]
        : []),
    ]
    const active = withRetired ? sql`, (${whoMaySignIn('a')}) is true as active` : sql``
    return sql`select a.id as value, trim(a.first_name || ' ' || a.last_name) as label, a.groups, a.status${active}, ${TOTAL}
      from staff a where ${sql.join(where, sql` and `)} order by ${byTerm(sql`a.search_key`, params.term)}a.name_key, a.id`
  },
  contracts: ({ me }, params, { withRetired, only }) => {
    const mine = params.staff ? asId(params.staff, me.id) : me.id
    const where = [
      sql`l.kind = 'contracts'`,
      ...(withRetired ? [] : [sql`l.active`]),
      ...onlyValues(sql`l.value`, only),
      ...matchesTerm(searched(sql`l.label`), params.term),
      ...(params.service ? [sql`(l.attrs -> 'service')::int = any(${numbers(params.service)}::int[])`] : []),
      ...(params.own_cases === 'true' ? [hasVisibleIssue(me, sql`i.advocate = ${mine}`)] : []),
      ...(params.unallocated === 'true'
        ? [hasVisibleIssue(me, sql`i.advocate is null and i.is_opened`)]
        : []),
      ...(params.staff ? [workedOn(sql`s.id = ${mine}`)] : []),
      ...(params.role
        ? [workedOn(sql`${whoMaySignIn('s')} and s.groups && ${numbers(params.role)}::int[]`)]
        : []),
    ]
    return sql`select l.value, l.label, l.attrs -> 'service' as service${withRetired ? sql`, l.active` : sql``}, ${TOTAL} from lookup l
      where ${sql.join(where, sql` and `)}
      order by l.active desc, ${byTerm(searched(sql`l.label`), params.term)}l.position, l.label, l.value`
  },
  caseTypes: (_, params, { only }) => {
    const where = [
      sql`t.version > 0`,
      ...onlyValues(sql`t.id`, only),
      ...matchesTerm(searched(sql`t.label`), params.term),
      ...(params.service ? [sql`t.service = any(${numbers(params.service)}::int[])`] : []),
    ]
    return sql`select t.id as value, t.label, t.service, t.version, t.case_meta, t.issue_meta, t.status = ${sql.lit(STATUS.active)} as active, ${TOTAL}
      from case_types t where ${sql.join(where, sql` and `)}
      order by t.status, ${byTerm(searched(sql`t.label`), params.term)}t.label, t.id`
  },
  roles: ({ contract }, { term = '' }, { only }) =>
    contract.roles.roles
      .filter(({ id, label }) => (!only || only.includes(id)) && textKey(label).includes(textKey(term)))
      .sort((a, b) => a.id - b.id)
      // The role of commissioner is not offered, but people who have it keep it.
      .map(({ id, label }) => ({
        value: id,
        label,
        ...(id === ROLE.commissionerAdvocate && { active: false }),
      })),
}

/** All choices of a lookup, retired ones only with active=false; `only` restricts them to some values. */
export async function choicesOf(
  call: LookupCall,
  name: string,
  params: LookupParams,
  only?: number[],
): Promise<Item[]> {
  return (await findChoices(call, name, params, { withRetired: params.active === 'false', only })).items
}

/** The first `limit` choices of a lookup; with a term, those that begin with it come first. */
export async function findChoices(
  call: LookupCall,
  name: string,
  params: LookupParams,
  { limit, ...narrowed }: Narrowed & { limit?: number },
): Promise<Choices> {
  const lookup = call.contract.lookups[name]
  const source = lookup?.from
    ? SOURCES[lookup.from](call, params, narrowed)
    : itemsOf(call.me, name, lookup, params, narrowed)
  if (Array.isArray(source)) return { items: source.slice(0, limit), count: source.length }
  const query = limit === undefined ? source : sql`${source} limit ${limit}`
  const rows = (await query.execute(call.db)).rows as (Item & { total: number; item?: Item })[]
  return { items: rows.map(({ total, item, ...row }) => item ?? row), count: rows[0]?.total ?? 0 }
}

/**
 * The items of a lookup in their order, retired ones last. A parameter of the descriptor matches items whose key of
 * that name equals it, or whose list named by the plural contains it, and items with neither.
 */
function itemsOf(
  me: Caller,
  kind: string,
  { by = [], needs, parent }: Pick<Lookup, 'by' | 'needs' | 'parent'> = {},
  params: LookupParams,
  { withRetired, only }: Narrowed,
): Sql {
  const filters = by
    .filter((name) => params[name] && !['term', PARENTS_OF, NOT_OWN].includes(name))
    .map((name) => matches(name, params[name]))
  const where = [
    sql`kind = ${kind}`,
    ...(withRetired ? [] : [sql`active`]),
    ...onlyValues(sql`value`, only),
    ...matchesTerm(searched(sql`label`), params.term),
    ...filters,
    ...(String(params[NOT_OWN]) === 'true' ? [sql`value is distinct from ${me.hub}`] : []),
    ...(needs && parent && params[PARENTS_OF] ? [inParentList(needs, parent, params[PARENTS_OF])] : []),
  ]
  return sql`select attrs || jsonb_build_object('value', value, 'label', label)
      || case when active then '{}'::jsonb else '{"active": false}'::jsonb end as item, ${TOTAL}
    from lookup where ${sql.join(where, sql` and `)}
    order by active desc, ${byTerm(searched(sql`label`), params.term)}position, value`
}

function matches(name: string, params: string): Sql {
  const values = params.split(',').map((one) => (/^(true|false)$/.test(one) ? one : String(number(one))))
  const plural = `${name}s`
  return sql`(case when attrs -> ${name} is not null then attrs -> ${name} = any(${values}::jsonb[])
    when jsonb_typeof(attrs -> ${plural}) = 'array' then attrs -> ${plural} @> any(${values}::jsonb[])
    else ${params} <> 'true' end)`
}

/** The condition for items of the parent list of a list. */
function inParentList(lists: string, parent: string, list: string): Sql {
  return sql`attrs -> ${lists} = (select l.attrs -> ${parent} from lookup l
    where l.kind = ${lists} and l.value = ${number(list)})`
}

/** The condition that a contract l has a visible issue i that meets a condition. */
function hasVisibleIssue(me: Caller, condition: Sql): Sql {
  return sql`exists (select 1 from issues i
    where i.contract = l.value and ${condition} and ${visibleTo('issue', me, 'i')})`
}

/** The condition that any of some staff s work on the contract l. */
function workedOn(staff: Sql): Sql {
  return sql`exists (select 1 from staff s where ${staff} and ${worksOn(sql`s`)})`
}

/** The condition that the member of staff a works on any of some contracts. */
function worksOnOneOf(contracts: string): Sql {
  return sql`exists (select 1 from lookup l
    where l.kind = 'contracts' and l.value = any(${numbers(contracts)}::int[]) and ${worksOn(sql`a`)})`
}

/** The condition that a person works on the contract l: one of theirs or, if they have none, one of their services. */
function worksOn(staff: Sql): Sql {
  return sql`case when cardinality(${staff}.contracts) > 0
    then l.value = any(${staff}.contracts) else (l.attrs -> 'service')::int = any(${staff}.services) end`
}

function onlyValues(column: Sql, only: number[] | undefined): Sql[] {
  return only ? [sql`${column} = any(${only}::int[])`] : []
}

/** A label in the form that is searched, with 'and' for '&'. */
function searched(label: Sql): Sql {
  return sql`replace(text_key(${label}), '&', ' and ')`
}

/** The conditions that a text contains each word of a term. */
function matchesTerm(text: Sql, term = ''): Sql[] {
  return wordsOf(term).map((word) => containsKey(text, word))
}

/** Sorts texts that begin with a term first, so that a name is not lost among the many that contain it. */
function byTerm(text: Sql, term = ''): Sql {
  const words = wordsOf(term).join(' ')
  return words === '' ? sql`` : sql`${text} like ${`${escapeLike(words)}%`} desc, `
}

/** What people type between words, such as the comma of 'surname, first name'; a hyphen is no longer in a key. */
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u

function wordsOf(term: string): string[] {
  return textKey(term.replaceAll('&', ' and ')).split(BETWEEN_WORDS).filter(Boolean)
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
