import { sql } from 'kysely'
import { auditSearch } from '../audit/auditSearch.ts'
import type { Call, Handler } from '../call.ts'
import type { Row, Sql } from '../db.ts'
import { escapeLike, hasNamePart, isDay, lengthOf, wordsOf } from '../query.ts'
import { seesByPlace, visibleTo } from '../scope.ts'
import { search } from '../verbs/search.ts'
import { isSeenAction, visibleIds } from '../visibleIds.ts'

const MOST = 10
/** How many matches are looked at before they are sorted: keeps a common term as quick as a rare one. */
const CAP = 100
/** Up to this many clients of a caseload, or of a hub, computing their ids once is faster than checking each match. */
const FEW = { caseload: 20_000, hub: 8000 }
/** Up to `few` matches are checked one by one; of more than `many` the visible clients are read instead. */
const MATCHES = { few: 300, many: 3000 }

/**
 * Clients by parts of their names in any order, or by a number, date of birth, NHS number, telephone or postcode as
 * people write them; within the caller's scope.
 */
export const quick: Handler = async (call) => {
  const { db, query } = call
  const term = String(query.term ?? '').trim()
  if (lengthOf(term) === 0) return []
  await auditSearch(call, 'client', { term })
  const { ctes, ids } = visibleMatches(call, term)
  const { rows } = await sql<Row>`
    with ${sql.join(ctes)}
    select id, first_name, last_name, dob from clients where id = any(array(${ids}))
    order by (id = ${idOf(term)}) desc nulls last, ${beginsNames(term)} desc, last_name, first_name, id
    limit ${MOST}`.execute(db)
  return rows
}

/** Whether each word begins a name: 'smi' means Smith rather than Yasmin. */
function beginsNames(term: string): Sql {
  const starts = wordsOf(term).map((word) => {
    const start = sql`searchable(${escapeLike(word)}) || '%'`
    return sql`(search like ${start} or search like '% ' || ${start})`
  })
  return sql`(${sql.join([sql`true`, ...starts], sql` and `)})`
}

/** A query for the ids of the first clients that match and that the caller sees, with what it reads. */
function visibleMatches({ contract, me }: Call, term: string): { ctes: Sql[]; ids: Sql } {
  const isMatch = matches(term)
  const checked = (condition = sql`true`) =>
    sql`select c.id from clients c where ${condition} and ${isMatch} and ${visibleTo('client', me, 'c')} limit ${CAP}`
  // Matches of anything but a name are few, so each is checked.
  const visible = hasNumber(term) ? undefined : visibleIds(contract.entities.client, me)
  if (!visible) return { ctes: [sql`found as materialized (${checked()})`], ids: sql`select id from found` }
  const most = seesByPlace(me) ? FEW.hub : FEW.caseload
  const hits = sql`(select count(*) from hits)`
  const reasons = [sql`${hits} <= ${MATCHES.few}`, sql`(select count(*) from few) > ${most}`]
  // What decides most often comes first, so that the other is not computed.
  const areChecked = sql`(${sql.join(seesByPlace(me) ? reasons.toReversed() : reasons, sql` or `)})`
  const isMany = sql`${hits} > ${MATCHES.many}`
  return {
    ctes: [
      sql`few as materialized (select id from (${sql.join(visible, sql` union all `)}) s(id) limit ${most + 1})`,
      sql`hits as materialized (select c.id from clients c where ${isMatch} limit ${MATCHES.many + 1})`,
    ],
    ids: sql`(${checked(areChecked)})
      union all (select id from hits where not ${areChecked} and not ${isMany} and id in (select id from few) limit ${CAP})
      union all (select c.id from clients c where not ${areChecked} and ${isMany}
        and c.id = any(array(select id from few)) and ${isMatch} limit ${CAP})`,
  }
}

function matches(term: string): Sql {
  const names = wordsOf(term).map((word) => hasNamePart(sql`c.search`, word))
  return sql`(${hasNumber(term) ?? sql.join(names.length > 0 ? names : [sql`false`], sql` and `)})`
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
  const seconds = sql`select coalesce(sum(d.time_taken), 0) from actions d
    where d.client in (select id from found) and ${isSeenAction(call.me, 'd', 'found')}`
  const { sum, ...reply } = { sum: null, ...(await search(call, call.contract.entities.clientRow, seconds)) }
  return { ...reply, total_time: reply.pagination.count === 0 ? 0 : sum }
}
