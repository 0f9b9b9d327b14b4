import { sql } from 'kysely'
import { codeKey, phoneKey, searchWords, textKey } from '../../../contract/compareKey.ts'
import type { PersonTerm } from '../../../contract/personTerm.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { containsKey, hasNamePart, searchableLength } from '../../records/query/query.ts'
import { type Candidate, COMPARED } from './candidates.ts'
import { slipsOf } from './compareDates.ts'
import { formsOf } from './nameForms.ts'
import { rankPerson } from './rankPerson.ts'

/** A client whom a search found, with how well in a word and a number, and why in words. */
export interface FoundPerson {
  id: number
  certainty: 'likely' | 'possible' | 'less likely'
  score: number
  reasons: string[]
}

export type SearchedClient = Omit<Candidate, 'place'> & { address: string | null }

const RANKED = sql`${COMPARED}, c.address`
const MAX_OF_WORDS = 100
const MAX_OF_DATE = 100
const MAX_OF_TRIGRAMS = 300
/** Maximum number of clients of one condition that are sorted. */
const MAX_SORTED = 1000
/** A word with too few letters to be misspelled: thousands share its trigrams and its sound. */
const PARTICLE = /^[a-z]{1,2}$/
/** Maximum number of words of a search, and minimum length of one that may be a place. */
const MAX_WORDS = 6
const PLACE_LETTERS = 3

/**
 * The clients in the caller's scope who match a search, the best first: by its words as they are, then, unless these
 * are enough, by their sound and by most of their letters; if nobody is found, by all words but one.
 */
export async function findPeople(call: Call, term: PersonTerm, limit: number): Promise<FoundPerson[]> {
  const words = term.words.flatMap(searchWords).slice(0, MAX_WORDS)
  const visible = visibleTo('client', call.me, 'c')
  const name = words.join(' ')
  const among = ({ where, most }: Block) => sql`(select ${RANKED} from (
      select ${RANKED}, c.search_key from clients c where ${where} and ${visible} limit ${sql.lit(MAX_SORTED)}
    ) c order by word_similarity(${name}, c.search_key) desc, c.id limit ${sql.lit(most)})`
  const exact = await clientsIn(call, blocksOf(term, words).map(among))
  const found = ranked(exact, term, words)
  if (found.length >= limit || words.length === 0) return found.slice(0, limit)
  const most = sql.lit(MAX_OF_TRIGRAMS)
  const long = words.filter((word) => !PARTICLE.test(word))
  const spelled = long.map((word) => {
    const others = long
      .filter((other) => other !== word)
      .flatMap(formsOf)
      .join(' ')
    const named = others
      ? sql`people_named_alike(${word}, name_sounds(${others}), ${most})`
      : sql`people_spelled_alike(${word}, ${most})`
    return sql`(select ${RANKED} from ${named} c where ${visible} limit ${most})`
  })
  const sounding = words.length > 1 ? [among({ where: soundsLike(words), most: MAX_OF_WORDS })] : []
  const more = await clientsIn(call, [...sounding, ...spelled])
  const alike = ranked([...exact, ...more], term, words)
  if (alike.length > 0 || words.length === 1) return alike.slice(0, limit)
  // If nobody matches all words, those who match all but one.
  const near = words.map((word) => among({ where: hasNamePart(sql`c.search_key`, word), most: MAX_OF_WORDS }))
  return ranked(await clientsIn(call, near), term, words, 1).slice(0, limit)
}

async function clientsIn({ db }: Call, blocks: Sql[]): Promise<SearchedClient[]> {
  if (blocks.length === 0) return []
  const { rows } = await sql<SearchedClient>`${sql.join(blocks, sql` union `)}`.execute(db)
  return rows
}

function ranked(clients: SearchedClient[], term: PersonTerm, words: string[], mayMiss = 0): FoundPerson[] {
  return [...new Map(clients.map((client) => [client.id, client])).values()]
    .flatMap((client) => rankPerson(term, words, client, mayMiss) ?? [])
    .sort((a, b) => doubt(a) - doubt(b) || b.score - a.score || b.id - a.id)
}

/** Those who are less likely come last, whatever their score. */
function doubt({ certainty }: FoundPerson): number {
  return certainty === 'less likely' ? 1 : 0
}

interface Block {
  where: Sql
  most: number
}

/** The conditions by which an index finds clients for each part of a search. */
function blocksOf(
  { dob, year, number, id, postcode }: PersonTerm,
  words: string[],
): { where: Sql; most: number }[] {
  const blocks: { where: Sql; most: number }[] = []
  if (id !== undefined) blocks.push({ where: sql`c.id = ${id}`, most: 1 })
  if (number) {
    const [digits, phone] = [number.replaceAll(/\D/g, ''), phoneKey(number)]
    blocks.push({ where: sql`${[digits]}::text[] && array[digits(c.nhs_number)]`, most: MAX_OF_DATE })
    blocks.push({
      where: sql`${[phone]}::text[] && array[phone_key(c.phone), phone_key(c.mobile)]`,
      most: MAX_OF_DATE,
    })
  }
  if (postcode)
    blocks.push({ where: sql`code_key(c.postcode) collate "C" = ${codeKey(postcode)}`, most: MAX_OF_DATE })
  if (dob) blocks.push({ where: sql`c.dob = any(${slipsOf(dob)}::date[])`, most: MAX_OF_DATE })
  // A year alone has thousands.
  if (year && words.length === 0)
    blocks.push({
      where: sql`c.dob between ${`${year}-01-01`}::date and ${`${year}-12-31`}::date`,
      most: MAX_OF_WORDS,
    })
  const bornThen = year
    ? sql`c.dob between ${`${year}-01-01`}::date and ${`${year}-12-31`}::date and `
    : sql``
  const isNamed = (some: string[]) =>
    sql.join(
      some.map((word) => hasNamePart(sql`c.search_key`, word)),
      sql` and `,
    )
  if (words.length > 0) blocks.push({ where: sql`${bornThen}${isNamed(words)}`, most: MAX_OF_WORDS })
  const isIn = (word: string) => containsKey(sql`text_key(c.address)`, textKey(word))
  const places = words.filter((word) => searchableLength(word) >= PLACE_LETTERS)
  if (places.length > 1 && places.length === words.length)
    blocks.push({ where: sql.join(places.map(isIn), sql` and `), most: MAX_OF_WORDS })
  // Each word may be the place.
  for (const place of places) {
    const others = words.filter((word) => word !== place)
    blocks.push({
      where: others.length > 0 ? sql`${isIn(place)} and ${isNamed(others)}` : isIn(place),
      most: MAX_OF_WORDS,
    })
  }
  return blocks
}

/** The condition that a client has names that sound like all words, or like their short forms. */
function soundsLike(words: string[]): Sql {
  const each = words.map((word) => sql`name_sounds(c.search_key) && name_sounds(${formsOf(word).join(' ')})`)
  return sql.join(each, sql` and `)
}
