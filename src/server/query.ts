import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { parametersOf } from '../contract/call.ts'
import type { Entity, Parameter } from '../contract/generated.ts'
import { NONE } from '../contract/listFilters.ts'
import { suggest } from '../contract/suggest.ts'
import type { FieldErrors } from '../contract/validateAnswers.ts'
import { isPlainObject, type Values } from '../contract/when.ts'
import type { Call } from './call.ts'
import type { Sql } from './db.ts'
import { problem, refuse } from './problems.ts'

type Value = string | number | boolean
/** Answers are a query of their own: answerSearch.ts. */
type Match = Exclude<NonNullable<Parameter['match']>, 'answers'>

/** Of unknown parameters so many are named, each cut to so many characters. */
const MOST_NAMED = 20
const LONGEST_NAME = 100
/** Of a search for words so many are looked for. */
const MOST_WORDS = 8

/** A part of a name of so many letters is looked for where a name begins. */
const SHORT = 2

/** So many rows can be chosen for an export, as many as a page has at most. */
const MOST_IDS = 500

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])
/** Of these a repeated parameter means any of its values. */
const SEVERAL = new Set<Parameter['match']>(['equal', 'in', 'caseOfService', 'is', 'answers'])

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
  date: { parse: (text) => (isDay(text) ? text : undefined), words: 'a date like 2026-01-31' },
}

const at = (column: string) => sql.ref(`r.${column}`)

const MATCH: Record<Match, (column: string, value: Value | Value[]) => Sql> = {
  equal: (column, value) =>
    Array.isArray(value) ? sql`${at(column)} = any(${value})` : sql`${at(column)} = ${value}`,
  contains,
  prefix: (column, value) => sql`upper(${at(column)}) like upper(${escapeLike(value)}) || '%'`,
  from: (column, value) => sql`${at(column)} >= ${value}`,
  to: (column, value) => sql`${at(column)} <= ${value}`,
  yes: (column, value) => (value ? sql`${at(column)} = 'yes'` : sql`true`),
  daysAgo: (column, value) => sql`${at(column)} <= current_date - ${Number(value)}::int`,
  in: (column, value) => sql`${[value].flat()}::int[] && ${at(column)}`,
  words,
  digits: (column, value) => sql`${[digitsOf(value)]}::text[] && ${at(column)}`,
  is,
  client: (column, value) => ofClient(column, value, column),
  clientOrId: (column, value) => ofClient(column, value, 'id'),
  caseOfService: (column, value) =>
    sql`exists (select from cases k where k.client = ${at(column)} and k.service = any(${[value].flat()}::int[]))`,
}

const isListed = (clients: Sql) => sql`= any(array(${clients}))`

/** How rows are found where that is done otherwise than by testing each. */
const FIND: Partial<typeof MATCH> = {
  client: (column, value) => ofClient(column, value, column, isListed),
  clientOrId: (column, value) => ofClient(column, value, 'id', isListed),
}

/** One of the values; 'none' is a column without one. */
function is(column: string, value: Value | Value[]): Sql {
  const values = [value].flat()
  const set = values.filter((one) => one !== NONE)
  const found = set.length > 0 ? [sql`${at(column)} = any(${set})`] : []
  const missing = set.length < values.length ? [sql`${at(column)} is null`] : []
  return sql`(${sql.join([...found, ...missing], sql` or `)})`
}

/** Each word of the value somewhere in the text, in any order, 'surname, first name' too; or the record's number. */
function words(column: string, value: Value | Value[]): Sql {
  const found = wordsOf(String(value))
  if (found.length === 0) return sql`false`
  return sql`(${sql.join(
    found.map((word) => contains(column, word)),
    sql` and `,
  )})`
}

/** The words of a search, between blanks and commas; at most eight are looked for. */
export function wordsOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .slice(0, MOST_WORDS)
}

/** A number as people write it, with blanks and dashes, as its digits alone. */
function digitsOf(value: Value | Value[]): string {
  return String(value).replaceAll(/\D/g, '')
}

/** Part of a text, accents and case aside; where a whole record is searched, its number is found too. */
function contains(column: string, value: Value | Value[]): Sql {
  const text = String(value)
  if (column !== 'search') return hasText(sql`searchable(${at(column)})`, text)
  const found = hasNamePart(at(column), text)
  return /^\d{1,9}$/.test(text) ? sql`(${found} or ${at('id')} = ${Number(text)})` : found
}

/** Rows of the clients whose names hold all the words; a number is an id in the column `id`. The clients have an index. */
function ofClient(
  column: string,
  value: Value | Value[],
  id: string,
  isAmong = (clients: Sql) => sql`in (${clients})`,
): Sql {
  const clients = clientsNamed(value)
  return clients ? sql`${at(column)} ${isAmong(clients.ids)}` : sql`${at(id)} = ${Number(value)}`
}

/** A query for the ids of the clients, under the alias c, whose names hold some words. */
export interface NameQuery {
  ids: Sql
  /** Whether the words are so short that most likely many have them. */
  isCommon: boolean
}

/** The clients of a name; undefined where a number is looked for. */
function clientsNamed(value: Value | Value[], match: Parameter['match'] = 'client'): NameQuery | undefined {
  const text = String(value)
  if (/^\d{1,9}$/.test(text)) return undefined
  return clientsOfName(match === 'contains' ? [text] : wordsOf(text))
}

/** The clients whose names hold all of some texts. */
export function clientsOfName(texts: string[]): NameQuery {
  const tests = texts.map((text) => hasNamePart(sql`c.search`, text))
  return {
    ids: sql`select c.id from clients c where ${sql.join(tests.length > 0 ? tests : [sql`false`], sql` and `)}`,
    isCommon: texts.length > 0 && texts.every((text) => lengthOf(text) <= SHORT),
  }
}

/**
 * The condition that names, as they are stored for searching, hold a text; one or two letters or digits are looked for
 * where a name begins: within names they are nearly everywhere, and no index finds them there.
 */
export function hasNamePart(names: Sql, text: string): Sql {
  if (lengthOf(text) > SHORT) return hasText(names, text)
  const start = sql`searchable(${escapeLike(text)}) || '%'`
  return sql`(${names} like ${start} or ${names} like '% ' || ${start})`
}

/** Letters and digits: what is left of a text once it is searchable, for a name has nothing else that tells. */
export function lengthOf(text: string): number {
  return [...text.normalize('NFD').matchAll(/[\p{L}\p{N}]/gu)].length
}

function hasText(searchable: Sql, value: unknown): Sql {
  return sql`${searchable} like '%' || searchable(${escapeLike(value)}) || '%'`
}

/** A query string as it came; of a repeated parameter, in either spelling (a=1&a=2, a[]=1&a[]=2), the list. */
export function rawQuery({ query }: FastifyRequest): Values {
  return Object.fromEntries(
    Object.entries(query as Values).map(([name, value]) => [name.replace(/\[\]$/, ''), value]),
  )
}

/** Refuses parameters that a call does not know, each with the known one nearest to it. */
export function refuseUnknown(known: string[], raw: Record<string, unknown>): void {
  const unknown = Object.keys(raw).filter((name) => !known.includes(name))
  const named = unknown.slice(0, MOST_NAMED).map((name) => {
    const short = name.slice(0, LONGEST_NAME)
    return [short, [`is no parameter of this call${suggest(short, known)}`]]
  })
  refuse(Object.fromEntries(named))
}

/** Reads the known parameters of a query string; empty ones count as absent, wrong ones are refused by name. */
export function readQuery(known: Record<string, Parameter>, raw: Record<string, unknown>): Call['query'] {
  const errors: FieldErrors = {}
  const query: Call['query'] = {}
  for (const [name, { type, match }] of Object.entries(known)) {
    const texts = raw[name]
    if (texts === undefined || texts === '' || (Array.isArray(texts) && texts.length === 0)) continue
    const isNone = (text: unknown) => match === 'is' && text === NONE
    const parsed = [texts].flat().map((text) => (isNone(text) ? NONE : PARSE[type].parse(String(text))))
    if (parsed.includes(undefined)) errors[name] = [`must be ${PARSE[type].words}`]
    else if (parsed.length > 1 && !SEVERAL.has(match)) errors[name] = ['can be said once only']
    else query[name] = (parsed.length > 1 ? parsed : parsed[0]) as Value
  }
  refuse(errors)
  return query
}

/** Reads the filters of a search out of its body; null counts as absent, as an empty text does. */
export function readFilters(known: Record<string, Parameter>, body: unknown): Call['query'] {
  if (!isPlainObject(body ?? {})) throw problem('badRequest', { message: 'The body must be an object' })
  const filters = Object.fromEntries(Object.entries(body ?? {}).filter(([, value]) => value !== null))
  refuseUnknown(Object.keys(known), filters)
  return readQuery(known, filters)
}

/** The conditions that the query's parameters stand for, of the alias r. */
export function conditionsOf(call: Call, match = MATCH): Sql[] {
  return usedParameters(call).map(([name, p]) => match[p.match as Match](p.column ?? name, call.query[name]))
}

/** The parameters that the query has and that are conditions of one row. */
function usedParameters({ contract, endpoint, query }: Call): [string, Parameter][] {
  return Object.entries(parametersOf(contract, endpoint)).filter(
    ([name, p]) => p.match && p.match !== 'answers' && query[name] !== undefined,
  )
}

/**
 * The same, to find rows by: those of the clients of a name are looked up one by one by their index. Beside another list
 * of ids PostgreSQL would compare each with each.
 */
export function findingConditionsOf(call: Call): Sql[] {
  return conditionsOf(call, { ...MATCH, ...FIND })
}

/** The clients that the rows must be, or be of, and the other conditions; undefined where no name is looked for. */
export function namedClients(
  call: Call,
  { scope }: Entity,
): { clients: NameQuery; others: Sql[] } | undefined {
  const isName = ({ match, column }: Parameter) =>
    match! in FIND || (scope === 'client' && column === 'search')
  const [name, parameter] = usedParameters(call).find(([, one]) => isName(one)) ?? []
  const clients = name === undefined ? undefined : clientsNamed(call.query[name], parameter!.match)
  if (name === undefined || !clients) return undefined
  const { [name]: _, ...query } = call.query
  return { clients, others: conditionsOf({ ...call, query }) }
}

/** Whether few rows meet the conditions, as far as can be told: cases are found by their client, other filters leave many. */
export function isSelective(call: Call, { scope }: Entity): boolean {
  return scope !== 'case' || usedParameters(call).some(([, { match }]) => match! in FIND)
}

/** Ids of the rows that an export is limited to (ids=1,2); undefined: all rows. */
export function requestedIds({ exporting, query }: Pick<Call, 'exporting' | 'query'>): number[] | undefined {
  if (!exporting || query.ids === undefined) return undefined
  const ids = String(query.ids).split(',')
  if (ids.length > MOST_IDS || !ids.every((id) => /^\d{1,9}$/.test(id)))
    refuse({ ids: [`must be at most ${MOST_IDS} whole numbers with commas between`] })
  return ids.map(Number)
}

/** A term inside a LIKE pattern, its wildcards taken literally. */
export function escapeLike(value: unknown): string {
  return String(value).replaceAll(/[\\%_]/g, '\\$&')
}

/** Whether a text is a day of the calendar, YYYY-MM-DD. */
export function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
  )
}
