import { sql } from 'kysely'
import { codeKey, phoneKey } from '../../../contract/compareKey.ts'
import { isRealDay } from '../../../contract/days.ts'
import { normaliseLine, normalisePhone } from '../../../contract/normalise.ts'
import type { NumberedRecord, QuickClient } from '../../../contract/types/entities.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call, Handler } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { auditSearch } from '../../records/audit/auditSearch.ts'
import { remainingId } from '../../records/merged/mergedRecords.ts'
import { alertMarks } from '../../records/query/alertMarks.ts'
import { clientsOfName, searchableLength, searchWords } from '../../records/query/query.ts'
import type { Sum } from '../../records/verbs/list.ts'
import { search } from '../../records/verbs/search.ts'

const MAX_RESULTS = 10
/** Maximum number of matches that are sorted, so that a common term is as fast as a rare one. */
const MAX_SORTED = 100

/**
 * Clients by parts of their names in any order, or by a number, date of birth, NHS number, telephone or postcode as
 * people write them; within the caller's scope.
 */
export const quick: Handler = async (call) => {
  const term = normaliseLine(String(call.query.term ?? ''))
  if (searchableLength(term) === 0) return []
  // Reply only after the search was audited.
  const [rows] = await Promise.all([quickMatches(call, term), auditSearch(call, 'client', { term })])
  return rows
}

/**
 * The best visible matches; if there are many, the best among the first ones found. Their columns are a statement of
 * their own, which is planned once: the alerts make it long, and the term has no part in it.
 */
async function quickMatches({ db, me }: Call, term: string): Promise<QuickClient[]> {
  const number = numberCondition(term)
  const clients = number ? sql`select c.id from clients c where ${number}` : clientsOfName(searchWords(term))
  const { rows } = await sql<{ id: number }>`
    with found as (${clients} and ${visibleTo('client', me, 'c')} limit ${MAX_SORTED})
    select id from clients where id = any(array(select id from found))
    order by ${beginsNames(term)} desc, name_key, id
    limit ${MAX_RESULTS}`.execute(db)
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const matches = await sql<QuickClient>`
    select c.id, c.first_name, c.last_name, c.dob, c.dod, ${alertMarks(me, sql.ref('c.id'))} as alerts
    from clients c where c.id = any(${ids}) and ${visibleTo('client', me, 'c')}
    order by array_position(${ids}, c.id)`.execute(db)
  return matches.rows
}

/** The condition that each word is the beginning of a name: 'smi' means Smith rather than Yasmin. */
function beginsNames(term: string): Sql {
  // Functions have one plan for all terms; LIKE patterns would be planned again for each.
  const starts = searchWords(term).map((word) => {
    return sql`(starts_with(search_key, ${word}) or strpos(search_key, ${` ${word}`}) > 0)`
  })
  return sql`(${sql.join([sql`true`, ...starts], sql` and `)})`
}

/** The condition of a term that is a number, a day or a postcode; undefined for a name. */
function numberCondition(term: string): Sql | undefined {
  const id = idOf(term)
  if (id) return sql`c.id = coalesce(${remainingId('client', sql`${id}`)}, ${id})`
  const born = dayOfBirth(term)
  if (born) return sql`c.dob = ${born}::date`
  const number = normalisePhone(term)
  const digits = number.replaceAll(/\D/g, '')
  if (NUMBER.test(number) && digits.length >= 10)
    return sql`(${[digits]}::text[] && array[digits(c.nhs_number)] or ${[phoneKey(term)]}::text[] && array[phone_key(c.phone), phone_key(c.mobile)])`
  const postcode = codeKey(term)
  if (POSTCODE.test(postcode)) return sql`code_key(c.postcode) collate "C" like ${`${postcode}%`}`
}

/** A telephone or NHS number, with separators; a telephone number with its extension or words. */
const NUMBER = /^[+(\d][\d ()./-]*([ ,;(#]*\p{L}.*)?$/u
/** A whole postcode, or its first half with the sector: shorter ones look like parts of names. */
const POSTCODE = /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{0,2}$/
const DAY_FIRST = /^(\d{1,2})[/.\s-](\d{1,2})[/.\s-](\d{4})$/

/** Parses a date of birth: 4/6/1950, 04.06.1950, 4-6-1950 or 1950-06-04. */
function dayOfBirth(term: string): string | undefined {
  const [, day, month, year] = DAY_FIRST.exec(term) ?? []
  const text = year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : term
  return isRealDay(text) ? text : undefined
}

function idOf(term: string): number | null {
  return /^\d{1,9}$/.test(term) ? Number(term) : null
}

/** The case and the issue with a number, if the caller may see them. */
export const numbered: Handler = async (call) => {
  const { db, me, query } = call
  const { number } = query
  if (typeof number !== 'number') return []
  await auditSearch(call, 'case', { number })
  const name = sql`c.first_name || ' ' || c.last_name as client_name, c.dod as client_dod,
    ${alertMarks(me, sql.ref('c.id'))} as alerts`
  const { rows } =
    await sql<NumberedRecord>`select 'case' as kind, k.id, k.id as "case", ${name}, t.label as type_label
    from cases k join clients c on c.id = k.client join case_types t on t.id = k.case_type
    where k.id = ${number} and ${visibleTo('case', me, 'k')}
    union all select 'issue', i.id, i."case", ${name}, y.label
    from issues i join clients c on c.id = i.client
    left join lookup y on y.kind = 'issue_types' and y.value = i.issue_type
    where i.id = ${number} and ${visibleTo('issue', me, 'i')}`.execute(db)
  return rows
}

/**
 * Clients that match the filters. `total_time` is the time of all visible actions for them, in seconds; null if more
 * clients match than lists count.
 */
export const clients: Handler = async (call) => {
  const seconds: Sum = sql`select coalesce(sum(d.time_taken), 0) from actions d
    where d.client in (select id from found) and d.error_reason is null and ${visibleTo('action', call.me, 'd')}`
  const { sum, ...reply } = { sum: null, ...(await search(call, call.contract.entities.clientRow, seconds)) }
  return { ...reply, total_time: reply.pagination.count === 0 ? 0 : sum }
}
