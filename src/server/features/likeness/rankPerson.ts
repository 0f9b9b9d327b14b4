import { codeKey, phoneKey, searchWords, textKey } from '../../../contract/compareKey.ts'
import type { PersonTerm } from '../../../contract/personTerm.ts'
import { capitalised } from '../../../contract/quoted.ts'
import { compareDates } from './compareDates.ts'
import { compareWords } from './compareWords.ts'
import type { FoundPerson, SearchedClient } from './findPeople.ts'
import { sharedForm } from './nameForms.ts'
import { nhsDigits } from './numbers.ts'

interface PartMatch {
  score: number
  /** The score of one that is exactly what was typed. */
  best: number
  reason?: string
}

const WHOLE_WORD = 6
const BEGINNING = 4
const PART = 3
const FORM = 4.5
const PLACE = 3.5
const MISSING = -6
const NUMBER = 12
const SAME_YEAR = 5
const OTHER_YEAR = -7
const SAME_DATE = 12
/**
 * Minimum share of the best score of somebody who is likely meant: one slip is allowed, or two in the name if the date
 * of birth is right.
 */
const LIKELY_SHARE = 0.75

/**
 * How well a client matches a search, with the reasons; undefined if too little of it does. `mayMiss` words may be
 * nobody's name.
 */
export function rankPerson(
  term: PersonTerm,
  words: string[],
  client: SearchedClient,
  mayMiss = 0,
): FoundPerson | undefined {
  const names = searchWords([client.first_name, client.last_name, client.known_as].filter(Boolean).join(' '))
  const address = textKey(client.address ?? '')
  const ofWords = words.map((word) => matchWord(word, names, address))
  const numbers = matchNumbers(term, client)
  const ofOthers = [matchDate(term, client), ...numbers].filter((one) => one !== undefined)
  const all = [...ofWords, ...ofOthers]
  const sumOf = (key: 'score' | 'best') => all.reduce((sum, one) => sum + one[key], 0)
  const score = sumOf('score')
  // One word may be wrong if something else is right.
  const missing = ofWords.filter(({ score: part }) => part === MISSING).length
  const isFound =
    all.length > missing && missing <= (ofOthers.some(({ score: part }) => part > 0) ? 1 : mayMiss)
  if (!isFound || (score <= 0 && mayMiss === 0)) return undefined
  const places = all.filter(({ best }) => best === PLACE).length
  const repeated = Math.max(0, places - 1) + (isOneName(words, client) ? words.length - 1 : 0)
  // One name, a day or a place alone identifies nobody.
  const isTelling = all.length - repeated > 1 || numbers.some(({ score: part }) => part === NUMBER)
  const certainty = !isTelling ? 'possible' : score >= LIKELY_SHARE * sumOf('best') ? 'likely' : 'less likely'
  const reasons = [...ofOthers, ...ofWords].flatMap(({ reason }) => reason ?? [])
  return { id: client.id, certainty, score, reasons }
}

/** True if all words are in one name of a client, such as the surname De la Cruz. */
function isOneName(words: string[], { first_name, last_name, known_as }: SearchedClient): boolean {
  return [first_name, last_name, known_as].some((name) => {
    const parts = searchWords(name ?? '')
    return words.length > 0 && words.every((word) => parts.some((part) => part.startsWith(word)))
  })
}

function matchWord(word: string, names: string[], address: string): PartMatch {
  const best = WHOLE_WORD
  if (names.includes(word)) return { score: WHOLE_WORD, best }
  if (names.some((name) => name.startsWith(word))) return { score: BEGINNING, best }
  const joined = names.join('')
  if (word.length > 2 && joined.includes(word)) return { score: PART, best }
  const form = names.map((name) => sharedForm(word, name)).find(Boolean)
  if (form) return { score: FORM, best, reason: form }
  const place: PartMatch | undefined =
    word.length > 2 && address.includes(word)
      ? { score: PLACE, best: PLACE, reason: `lives in ${capitalised(word)}` }
      : undefined
  const slips = names.flatMap((name) => {
    const slip = compareWords(word, name)
    return slip ? [{ score: slip.score - 2, best, reason: `${capitalised(name)}: ${slip.words}` }] : []
  })
  const [most] = [...(place ? [place] : []), ...slips].sort((a, b) => b.score - a.score)
  return most ?? { score: MISSING, best, reason: `not called ${capitalised(word)}` }
}

function matchDate({ dob, year }: PersonTerm, client: SearchedClient): PartMatch | undefined {
  if (!client.dob) return undefined
  if (year) {
    return Number(client.dob.slice(0, 4)) === year
      ? { score: SAME_YEAR, best: SAME_YEAR, reason: `born in ${year}` }
      : { score: OTHER_YEAR, best: SAME_YEAR, reason: 'born in another year' }
  }
  if (!dob) return undefined
  const { score, reasons, isSame } = compareDates(dob, client.dob)
  // A day that stands for an unknown one says nothing, and 1 January less than others.
  return reasons.length > 0 ? { score, best: isSame ? score : SAME_DATE, reason: reasons[0] } : undefined
}

function matchNumbers({ number, id, postcode }: PersonTerm, client: SearchedClient): PartMatch[] {
  const matches: PartMatch[] = []
  const best = NUMBER
  if (id === client.id) matches.push({ score: NUMBER, best, reason: 'this ID' })
  if (number) {
    const phones = [client.phone, client.mobile].map((one) => phoneKey(one ?? ''))
    const [typed, theirs] = [nhsDigits(number), nhsDigits(client.nhs_number)]
    if (typed && typed === theirs) matches.push({ score: NUMBER, best, reason: 'this NHS number' })
    else if (phones.includes(phoneKey(number)))
      matches.push({ score: NUMBER, best, reason: 'this telephone' })
    else if (typed && theirs) matches.push({ score: 0, best, reason: 'another NHS number' })
  }
  if (postcode && codeKey(client.postcode ?? '') === postcode)
    matches.push({ score: PLACE, best: PLACE, reason: 'this postcode' })
  return matches
}
