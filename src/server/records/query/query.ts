import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { parametersOf } from '../../../contract/call.ts'
import { codeKey, phoneKey, textKey, searchWords as wordsOf } from '../../../contract/compareKey.ts'
import { isRealDay } from '../../../contract/days.ts'
import type { Entity, Parameter } from '../../../contract/generated.ts'
import { NONE } from '../../../contract/listFilters.ts'
import { normaliseLine } from '../../../contract/normalise.ts'
import { STATUS } from '../../../contract/status.ts'
import { suggest } from '../../../contract/suggest.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import { isPlainObject, type Values } from '../../../contract/when.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call, Caller } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { problem, refuse } from '../../core/problems.ts'
import { hasAlert } from './alertMarks.ts'
import { isOfOthersWork } from './computed.ts'
import { hasDeadline, ofCase, ofIssue } from './deadlineMarks.ts'

type Value = string | number | boolean
/** Without 'answers', which answerSearch.ts handles. */
type Match = Exclude<NonNullable<Parameter['match']>, 'answers'>

/** Maximum number of unknown parameters in an error, and maximum characters of each name. */
const MAX_UNKNOWN_NAMES = 20
const MAX_NAME_LENGTH = 100
/** Maximum number of words in a search. */
const MAX_WORDS = 8

/** Maximum letters of a search that matches only the beginning of a name. */
const PREFIX_LENGTH = 2

/** Maximum number of selected rows in an export, as many as a page has at most. */
const MAX_IDS = 500

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])
/** Matches for which a parameter may be repeated, meaning any of its values. */
const REPEATABLE = new Set<Parameter['match']>([
  'equal',
  'in',
  'caseOfService',
  'caseOfAdvocate',
  'is',
  'answers',
])

const PARSE: Record<Parameter['type'], { parse: (text: string) => Value | undefined; words: string }> = {
  string: { parse: (text) => text, words: 'a text' },
  integer: {
    parse: (text) => (/^-?\d{1,9}$/.test(text) ? Number(text) : undefined),
    words: 'a whole number',
  },
  boolean: {
    parse: (text) => BOOLEANS.get(text),
    words: 'true or false',
  },
  date: { parse: (text) => (isRealDay(text) ? text : undefined), words: 'a date like 2026-01-31' },
}

const at = (column: string) => sql.ref(`r.${column}`)

const MATCH: Record<Match, (column: string, value: Value | Value[], call: Call) => Sql> = {
  equal: (column, value) =>
    Array.isArray(value) ? sql`${at(column)} = any(${value})` : sql`${at(column)} = ${value}`,
  contains,
  postcode,
  phone,
  from: (column, value) => sql`${at(column)} >= ${value}`,
  to: (column, value) => sql`${at(column)} <= ${value}`,
  yes: (column, value) => sql`(${at(column)} is not distinct from 'yes') = ${value}`,
  daysAgo: (column, value) => sql`${at(column)} <= current_date - ${Number(value)}::int`,
  in: (column, value) => sql`${[value].flat()}::int[] && ${at(column)}`,
  words,
  digits: (column, value) => sql`${[digitsOf(value)]}::text[] && ${at(column)}`,
  is,
  issueState: isInState,
  client: (column, value) => ofClient(column, value, column),
  clientOrId: (column, value) => ofClient(column, value, 'id'),
  alerted: (column, value, { me }) => hasAlert(me, at(column), value === ANY ? undefined : String(value)),
  deadlineOfCase: (column, value, { me }) => hasDeadline(me, ofCase(at(column)), String(value)),
  deadlineOfIssue: (_, value, { me }) => hasDeadline(me, ofIssue(at('id'), at('case')), String(value)),
  caseOfService: (_, value, { me }) => hasCaseOfServices(me, [value].flat() as number[]),
  caseOfAdvocate: (_, value, { me }) => hasIssueOfAdvocates(me, [value].flat() as number[]),
}

/** The value of an 'alerted' parameter for alerts of all levels. */
const ANY = 'any'

/** The condition that a client of the alias r has a visible case of some services. */
function hasCaseOfServices(me: Caller, services: number[]): Sql {
  return sql`exists (select from cases k
    where k.client = r.id and k.service = any(${services}::int[]) and ${visibleTo('case', me, 'k')})`
}

/** The condition that a case of the alias r has a visible open issue of some advocates. */
function hasIssueOfAdvocates(me: Caller, advocates: number[]): Sql {
  return sql`exists (select from issues i where i."case" = r.id and i.advocate = any(${advocates}::int[])
    and i.is_opened and i.status = ${sql.lit(STATUS.active)} and ${visibleTo('issue', me, 'i')})`
}

/** The condition that a column has one of the values; 'none' stands for null. */
function is(column: string, value: Value | Value[]): Sql {
  const values = [value].flat()
  const set = values.filter((one) => one !== NONE)
  const found = set.length > 0 ? [sql`${at(column)} = any(${set})`] : []
  const missing = set.length < values.length ? [sql`${at(column)} is null`] : []
  return sql`(${sql.join([...found, ...missing], sql` or `)})`
}

const ISSUE_STATES: Record<string, (isOpened: Sql) => Sql> = {
  // As open issues are counted everywhere.
  open: (isOpened) => sql`(${isOpened} and r.status = ${sql.lit(STATUS.active)})`,
  closed: (isOpened) => sql`not ${isOpened}`,
  all: () => sql`true`,
}

function isInState(column: string, value: Value | Value[]): Sql {
  const state = String(value)
  if (!Object.hasOwn(ISSUE_STATES, state)) refuse({ state: ['must be open, closed or all'] })
  return ISSUE_STATES[state](at(column))
}

/** The condition that a column contains each word of the value, in any order, so also 'surname, first name'. */
function words(_: string, value: Value | Value[]): Sql {
  const text = String(value)
  const tests = searchWords(text).map((word) => hasNamePart(at('search_key'), word))
  if (tests.length === 0) return sql`false`
  const named = sql`(${sql.join(tests, sql` and `)})`
  return isId(text) ? sql`(${named} or ${at('id')} = ${Number(text)})` : named
}

/** The first MAX_WORDS words of a search, as they are compared. */
export function searchWords(text: string): string[] {
  return wordsOf(text).slice(0, MAX_WORDS)
}

/** True if a search is a number, which may be the id of a record. */
export function isId(text: string): boolean {
  return /^\d{1,9}$/.test(normaliseLine(text))
}

/** The condition that the key of a postcode begins with a text, in any spelling. */
function postcode(column: string, value: Value | Value[]): Sql {
  const key = codeKey(String(value))
  return key === '' ? sql`false` : sql`${at(column)} like ${`${key}%`}`
}

/** The condition that one of the telephone numbers is the value, however it is written. */
function phone(column: string, value: Value | Value[]): Sql {
  const key = phoneKey(String(value))
  return key === '' ? sql`false` : sql`${[key]}::text[] && ${at(column)}`
}

/** The digits of a number that was typed with blanks and dashes. */
function digitsOf(value: Value | Value[]): string {
  return String(value).replaceAll(/\D/g, '')
}

/** The condition that a text contains the value, ignoring accents and case. */
function contains(column: string, value: Value | Value[]): Sql {
  return containsKey(sql`text_key(${at(column)})`, textKey(String(value)))
}

/** The condition for rows of clients whose names contain all words; a number is compared with `id`. */
function ofClient(column: string, value: Value | Value[], id: string): Sql {
  const text = String(value)
  return isId(text)
    ? sql`${at(id)} = ${Number(text)}`
    : sql`${at(column)} = any(array(${clientsOfName(searchWords(text))}))`
}

/** A query for the ids of the clients, under the alias c, whose names contain all of some words. */
export function clientsOfName(words: string[]): Sql {
  const tests = words.map((word) => hasNamePart(sql`c.search_key`, word))
  return sql`select c.id from clients c where ${sql.join(tests.length > 0 ? tests : [sql`false`], sql` and `)}`
}

/**
 * The condition that the search key of names contains a word. One or two letters or digits only match the beginning of
 * a name: nearly all names contain them, and no index finds them.
 */
export function hasNamePart(names: Sql, word: string): Sql {
  if (searchableLength(word) > PREFIX_LENGTH) return containsKey(names, word)
  const start = `${escapeLike(word)}%`
  return sql`(${names} like ${start} or ${names} like ${`% ${start}`})`
}

/** Number of letters and digits in a text, which are all that counts in a search by name. */
export function searchableLength(text: string): number {
  return [...text.normalize('NFD').matchAll(/[\p{L}\p{N}]/gu)].length
}

/** The condition that a key contains a text, which is a key itself. */
export function containsKey(key: Sql, text: string): Sql {
  return sql`${key} like ${`%${escapeLike(text)}%`}`
}

/** The unparsed query string; a repeated parameter is a list, in either spelling (a=1&a=2, a[]=1&a[]=2). */
export function rawQuery({ query }: FastifyRequest): Values {
  const merged = new Map<string, unknown>()
  for (const [spelling, value] of Object.entries(query as Values)) {
    const name = spelling.replace(/\[\]$/, '')
    merged.set(name, merged.has(name) ? [merged.get(name), value].flat() : value)
  }
  return Object.fromEntries(merged)
}

/** Refuses unknown parameters, and suggests the nearest known name for each. */
export function refuseUnknown(known: string[], raw: Record<string, unknown>): void {
  const unknown = Object.keys(raw).filter((name) => !known.includes(name))
  const named = unknown.slice(0, MAX_UNKNOWN_NAMES).map((name) => {
    const short = name.slice(0, MAX_NAME_LENGTH)
    return [short, [`is not a parameter of this call${suggest(short, known)}`]]
  })
  refuse(Object.fromEntries(named))
}

/** Parses the known parameters of a query string; empty ones count as absent, invalid ones are field errors. */
export function readQuery(known: Record<string, Parameter>, raw: Record<string, unknown>): Call['query'] {
  const errors: FieldErrors = {}
  const query: Call['query'] = {}
  for (const [name, { type, match }] of Object.entries(known)) {
    const texts = raw[name]
    if (texts === undefined || texts === '' || (Array.isArray(texts) && texts.length === 0)) continue
    const isNone = (text: unknown) => match === 'is' && text === NONE
    const parsed = [texts].flat().map((text) => (isNone(text) ? NONE : PARSE[type].parse(String(text))))
    if (parsed.includes(undefined)) errors[name] = [`must be ${PARSE[type].words}`]
    else if (parsed.length > 1 && !REPEATABLE.has(match)) errors[name] = ['can be given only once']
    else query[name] = (parsed.length > 1 ? parsed : parsed[0]) as Value
  }
  refuse(errors)
  return query
}

/** Parses the filters in the body of a search; null and an empty text count as absent. */
export function readFilters(known: Record<string, Parameter>, body: unknown): Call['query'] {
  if (!isPlainObject(body ?? {})) throw problem('badRequest', { message: 'The body must be an object' })
  const filters = Object.fromEntries(Object.entries(body ?? {}).filter(([, value]) => value !== null))
  refuseUnknown(Object.keys(known), filters)
  const nested = Object.keys(filters).filter((name) =>
    [filters[name]].flat().some((one) => typeof one === 'object'),
  )
  refuse(Object.fromEntries(nested.map((name) => [name, ['must be a value, or a list of values']])))
  return readQuery(known, filters)
}

/** The conditions of a call's query parameters, on the alias r. */
export function conditionsOf(call: Call): Sql[] {
  return usedParameters(call).map(([name, p]) =>
    MATCH[p.match as Match](p.column ?? name, call.query[name], call),
  )
}

/** The parameters in the query that are conditions on a row. */
function usedParameters({ contract, endpoint, query }: Call): [string, Parameter][] {
  return Object.entries(parametersOf(contract, endpoint)).filter(
    ([name, p]) => p.match && p.match !== 'answers' && query[name] !== undefined,
  )
}

/** Refuses filters by the work of others on a record, for callers who may not see that. */
export function refuseOthersWork(call: Call, entity: Entity): void {
  const refused = usedParameters(call).filter(([name, { column = name }]) =>
    isOfOthersWork(entity, column, call.me),
  )
  refuse(
    Object.fromEntries(refused.map(([name]) => [name, ['is about what others do, which you may not see']])),
  )
}

/** Ids of the selected rows of an export (ids=1,2); undefined: all rows. */
export function requestedIds({ exporting, query }: Pick<Call, 'exporting' | 'query'>): number[] | undefined {
  if (!exporting || query.ids === undefined) return undefined
  const ids = String(query.ids).split(',')
  if (ids.length > MAX_IDS || !ids.every((id) => /^\d{1,9}$/.test(id)))
    refuse({ ids: [`must be at most ${MAX_IDS} whole numbers with commas between`] })
  return ids.map(Number)
}

/** Escapes the wildcards of a LIKE pattern. */
export function escapeLike(value: unknown): string {
  return String(value).replaceAll(/[\\%_]/g, '\\$&')
}
