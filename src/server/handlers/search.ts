import { sql } from 'kysely'
import { auditSearch } from '../audit/auditSearch.ts'
import type { Call, Handler } from '../call.ts'
import { isKnownClient, visibleClients } from '../clientsByName.ts'
import type { Row, Sql } from '../db.ts'
import { findFirst } from '../matches.ts'
import { clientsOfName, isDay, lengthOf, wordsOf } from '../query.ts'
import { seesAll, seesByPlace, visibleTo } from '../scope.ts'
import type { Sum } from '../verbs/list.ts'
import { search } from '../verbs/search.ts'
import { isSeenAction, visibleIds } from '../visibleIds.ts'

const MOST = 10
/** How many matches are looked at before they are sorted: keeps a common term as quick as a rare one. */
const CAP = 100
/**
 * Among the first so many matches those that the caller sees are looked for, then among more of them, and where these do
 * not do, among all that they see. Who sees a hub sees more of the same matches than who leads a team, and they more than
 * who has a caseload.
 */
const FIRST = { ofPlace: [100, 3000], ofMany: [300, 3000], ofOne: [1000, 3000] }

/**
 * Clients by parts of their names in any order, or by a number, date of birth, NHS number, telephone or postcode as
 * people write them; within the caller's scope.
 */
export const quick: Handler = async (call) => {
  const term = String(call.query.term ?? '').trim()
  if (lengthOf(term) === 0) return []
  // Nothing is answered before it is written down.
  const [rows] = await Promise.all([quickMatches(call, term), auditSearch(call, 'client', { term })])
  return rows
}

/** The best matches that the caller sees; of many matches, the best among the first that are found. */
async function quickMatches(call: Call, term: string): Promise<Row[]> {
  const { me, contract } = call
  const number = hasNumber(term)
  const { ids, isCommon } = clientsOfName(wordsOf(term))
  const clients = number ? sql`select c.id from clients c where ${number}` : ids
  const firstOf = (condition: Sql) =>
    best(call, term, sql`with found as (${clients} and ${condition} limit ${CAP})`)
  const isVisible = visibleTo('client', me, 'c')
  if (number || seesAll(me)) return firstOf(isVisible)
  const steps = seesByPlace(me) ? FIRST.ofPlace : me.team.length > 1 ? FIRST.ofMany : FIRST.ofOne
  for (const most of isCommon ? steps.slice(0, 1) : steps) {
    const { matches, areAll } = await findFirst(call, clients, most)
    const among = { table: 'hits', areFew: matches.areFew }
    const visible = sql.join(visibleIds(contract.entities.client, me, { among })!, sql` union `)
    const hits = sql`with hits(id) as materialized (${matches.ids}), found(id) as (${visible})`
    const found = await best(call, term, hits)
    if (areAll || found.length === MOST) return found
  }
  const visible = await visibleClients(call)
  return firstOf(visible ? isKnownClient(visible) : isVisible)
}

/** The rows of the first of the clients in `found`, which a `with` has. */
async function best({ db }: Call, term: string, withFound: Sql): Promise<Row[]> {
  const { rows } = await sql<Row>`${withFound}
    select id, first_name, last_name, dob from clients where id = any(array(select id from found))
    order by (id = ${idOf(term)}) desc nulls last, ${beginsNames(term)} desc, last_name, first_name, id
    limit ${MOST}`.execute(db)
  return rows
}

/** Whether each word begins a name: 'smi' means Smith rather than Yasmin. */
function beginsNames(term: string): Sql {
  // As functions, which any plan is good for; patterns would be planned anew each time.
  const starts = wordsOf(term).map((word) => {
    const start = sql`(select searchable(${word}))`
    return sql`(starts_with(search, ${start}) or strpos(search, ' ' || ${start}) > 0)`
  })
  return sql`(${sql.join([sql`true`, ...starts], sql` and `)})`
}

/** The condition of a term that is a number, a day or a postcode; undefined for a name. */
function hasNumber(term: string): Sql | undefined {
  const id = idOf(term)
  if (id) return sql`c.id = ${id}`
  const born = dayOfBirth(term)
  if (born) return sql`c.dob = ${born}::date`
  const digits = term.replaceAll(/\D/g, '')
  if (NUMBER.test(term) && digits.length >= 10)
    return sql`(${[digits]}::text[] && array[digits(c.nhs_number)] or ${[digits]}::text[] && array[digits(c.phone), digits(c.mobile)])`
  if (POSTCODE.test(term)) return sql`upper(c.postcode) like ${`${spacedPostcode(term)}%`}`
}

/** A telephone or NHS number, with what people put between its digits. */
const NUMBER = /^[+\d][\d\s()-]*$/
/** A whole postcode, or its first half with the sector: shorter ones look like parts of names. */
const POSTCODE = /^[a-z]{1,2}\d[a-z\d]?\s*\d[a-z]{0,2}$/i
const DAY_FIRST = /^(\d{1,2})[/.\s-](\d{1,2})[/.\s-](\d{4})$/

/** The day of birth that a text is: 4/6/1950, 04.06.1950, 4-6-1950 or 1950-06-04. */
function dayOfBirth(term: string): string | undefined {
  const [, day, month, year] = DAY_FIRST.exec(term) ?? []
  const text = year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : term
  return isDay(text) ? text : undefined
}

/** A postcode as it is stored: capitals, a blank before the last three signs where it is whole. */
function spacedPostcode(term: string): string {
  const tidy = term.replaceAll(/\s+/g, '').toUpperCase()
  const inward = /\d[A-Z]{0,2}$/.exec(tidy)![0]
  return `${tidy.slice(0, -inward.length)} ${inward}`
}

function idOf(term: string): number | null {
  return /^\d{1,9}$/.test(term) ? Number(term) : null
}

/** The case and the issue of a number, those that the caller may see. */
export const numbered: Handler = async (call) => {
  const { db, me, query } = call
  const { number } = query
  if (typeof number !== 'number') return []
  await auditSearch(call, 'case', { number })
  const name = sql`c.first_name || ' ' || c.last_name as client_name`
  const { rows } = await sql<Row>`select 'case' as kind, k.id, k.id as "case", ${name}, t.label as type_label
    from cases k join clients c on c.id = k.client join case_types t on t.id = k.case_type
    where k.id = ${number} and ${visibleTo('case', me, 'k')}
    union all select 'issue', i.id, i."case", ${name}, y.label
    from issues i join clients c on c.id = i.client
    left join lookup y on y.kind = 'issue_types' and y.value = i.issue_type
    where i.id = ${number} and ${visibleTo('issue', me, 'i')}`.execute(db)
  return rows
}

/**
 * Clients that the filters find. `total_time` is how many seconds went into actions for all of them, of those that the
 * caller sees; null where more are found than lists count.
 */
export const clients: Handler = async (call) => {
  const seconds: Sum = (areFew) => {
    const clients = { table: 'found', areFew }
    return sql`select coalesce(sum(d.time_taken), 0) from actions d
      where d.client in (select id from found) and ${isSeenAction(call.me, 'd', clients)}`
  }
  const { sum, ...reply } = { sum: null, ...(await search(call, call.contract.entities.clientRow, seconds)) }
  return { ...reply, total_time: reply.pagination.count === 0 ? 0 : sum }
}
