import { sql } from 'kysely'
import { nameKey } from '../../../contract/compareKey.ts'
import type { Db, Sql } from '../../core/db.ts'
import { slipsOf } from './compareDates.ts'
import { formsOf } from './nameForms.ts'
import { nameKeysOf } from './nameKeys.ts'
import { nhsDigits, phoneKeys, postcodeKey } from './numbers.ts'
import type { Person } from './person.ts'

/** A client to compare, and the place of the person in the list of people that were looked for. */
export type Candidate = Person & { place: number; id: number }

/** Maximum number of clients that one property finds; the most alike by name come first. */
const MAX_OF_NUMBER = 50
const MAX_OF_DATE = 100
const MAX_OF_NAME = 200
/** Maximum number of clients found by trigrams, before those out of scope are left out. */
const MAX_OF_TRIGRAMS = 300
/** Minimum length of a name that is looked for by its trigrams: a shorter one shares them with too many. */
const MIN_LETTERS_FIRST = sql.lit(3)
const MIN_LETTERS_LAST = sql.lit(4)
export const COMPARED = sql`c.id, c.first_name, c.last_name, c.known_as, c.dob, c.nhs_number, c.phone, c.mobile, c.postcode`
/**
 * Maximum number of clients of one property that are read, in and out of scope, and of those in scope that are sorted.
 */
const MAX_READ = 4000
const MAX_SORTED = 2000

interface Options {
  /** Limits the clients, under the alias c. */
  condition: Sql
  /** False leaves out what takes longest, for a job over all clients: slips of dates, and names by their trigrams. */
  isThorough?: boolean
}

/**
 * The clients that share anything with one of some people by which an index finds them: NHS number, telephone, date of
 * birth or a slip of it, the whole name, its sound or most of its letters, or the postcode of somebody with such a
 * name.
 */
export async function candidatesFor(
  db: Db,
  people: Person[],
  { condition, isThorough = true }: Options,
): Promise<Candidate[]> {
  const searchKeys = people.map((person, place) => searchKeysOf(person, place, isThorough))
  // Each block reads what is compared, so that no client is looked up once more by its id. The inner limit keeps the
  // planner from reading all clients that a person sees for each block instead of the few that its index finds; thousands
  // have the date that stands for an unknown one, of whom not all are read.
  const among = (where: Sql, atMost: number) => sql`(select ${COMPARED} from (
      select ${COMPARED}, c.search_key from (
        select ${COMPARED}, c.search_key from clients c where ${where} limit ${sql.lit(MAX_READ)}
      ) c where ${condition} limit ${sql.lit(MAX_SORTED)}
    ) c order by word_similarity(p.name, c.search_key) desc, c.id limit ${sql.lit(atMost)})`
  const visible = (functionCall: Sql, where: Sql) => sql`union (select ${COMPARED} from ${functionCall} c
    where ${where} and ${condition} limit ${sql.lit(MAX_OF_NAME)})`
  const most = sql.lit(MAX_OF_TRIGRAMS)
  const byTrigrams = sql`
    ${visible(sql`people_named_alike(p.last, p.first_sounds, ${most})`, sql`length(p.last) >= ${MIN_LETTERS_LAST} and p.first_sounds <> '{}'`)}
    ${visible(sql`people_named_alike(p.first, p.last_sounds, ${most})`, sql`length(p.first) >= ${MIN_LETTERS_FIRST} and p.last_sounds <> '{}'`)}
    ${visible(sql`people_spelled_alike(p.name, ${most})`, sql`p.name <> '' and p.first_sounds = '{}' and p.last_sounds = '{}'`)}`
  const { rows } = await sql<Candidate>`with people as materialized (
      select p.*, name_sounds(p.lasts) as last_sounds, name_sounds(p.firsts) as first_sounds
      from jsonb_to_recordset(${JSON.stringify(searchKeys)}::jsonb) as p(place int, name text, first text, last text,
        name_keys text[], lasts text,
        firsts text, nhs text[], phones text[], postcode text, days date[])
    )
    select p.place, c.* from people p cross join lateral (
      ${among(sql`array[digits(c.nhs_number)] && p.nhs`, MAX_OF_NUMBER)}
      union ${among(sql`array[phone_key(c.phone), phone_key(c.mobile)] && p.phones`, MAX_OF_NUMBER)}
      union ${among(sql`c.dob = any(p.days)`, MAX_OF_DATE)}
      union ${among(sql`c.name_key = any(p.name_keys)`, MAX_OF_NAME)}
      union ${among(sql`name_sounds(c.search_key) && p.last_sounds and name_sounds(c.search_key) && p.first_sounds`, MAX_OF_NAME)}
      union ${among(sql`code_key(c.postcode) collate "C" = p.postcode and name_sounds(c.search_key) && (p.last_sounds || p.first_sounds)`, MAX_OF_NUMBER)}
      ${isThorough ? byTrigrams : sql``}
    ) c`.execute(db)
  return rows
}

/** What the query looks for: keys as the indexes have them. Empty lists find nobody. */
function searchKeysOf(person: Person, place: number, isThorough: boolean) {
  const { firsts, lasts, known } = nameKeysOf(person)
  const [first, last] = [person.first_name ?? '', person.last_name ?? '']
  return {
    place,
    name: [...firsts.slice(0, 1), ...lasts].join(' '),
    first: firsts[0] ?? '',
    last: lasts.join(' '),
    name_keys: first || last ? [nameKey(first, last), nameKey(last, first)] : [],
    lasts: [...lasts, lasts.join('')].join(' '),
    firsts: [...firsts, firsts.join(''), ...known].flatMap(formsOf).join(' '),
    nhs: [nhsDigits(person.nhs_number)].filter(Boolean),
    phones: phoneKeys(person),
    postcode: postcodeKey(person.postcode) ?? null,
    days: isThorough ? slipsOf(person.dob) : slipsOf(person.dob).slice(0, 1),
  }
}
