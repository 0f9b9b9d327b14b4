import { codeKey, phoneKey, searchWords, textKey } from '../../../contract/compareKey.ts'
import type { PersonTerm } from '../../../contract/personTerm.ts'
import { capitalised } from '../../../contract/quoted.ts'
import { compareDates } from './compareDates.ts'
import { compareWords } from './compareWords.ts'
import type { FoundPerson, SearchedClient } from './findPeople.ts'
import { sharedForm } from './nameForms.ts'
import { nhsDigits } from './numbers.ts'

interface WordMatch {
  score: number
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
  const ofOthers = [matchDate(term, client), ...matchNumbers(term, client)].filter((one) => one !== undefined)
  const all = [...ofWords, ...ofOthers]
  const score = all.reduce((sum, one) => sum + one.score, 0)
  // One word may be wrong if something else is right.
  const missing = ofWords.filter(({ score: part }) => part === MISSING).length
  const isFound =
    all.length > missing && missing <= (ofOthers.some(({ score: part }) => part > 0) ? 1 : mayMiss)
  if (!isFound || (score <= 0 && mayMiss === 0)) return undefined
  return { id: client.id, score, reasons: [...ofOthers, ...ofWords].flatMap(({ reason }) => reason ?? []) }
}

function matchWord(word: string, names: string[], address: string): WordMatch {
  if (names.includes(word)) return { score: WHOLE_WORD }
  if (names.some((name) => name.startsWith(word))) return { score: BEGINNING }
  const joined = names.join('')
  if (word.length > 2 && joined.includes(word)) return { score: PART }
  const form = names.map((name) => sharedForm(word, name)).find(Boolean)
  if (form) return { score: FORM, reason: form }
  const place: WordMatch | undefined =
    word.length > 2 && address.includes(word)
      ? { score: PLACE, reason: `lives in ${capitalised(word)}` }
      : undefined
  const slips = names.flatMap((name) => {
    const slip = compareWords(word, name)
    return slip ? [{ score: slip.score - 2, reason: `${capitalised(name)}: ${slip.words}` }] : []
  })
  const [best] = [...(place ? [place] : []), ...slips].sort((a, b) => b.score - a.score)
  return best ?? { score: MISSING, reason: `not called ${capitalised(word)}` }
}

function matchDate({ dob, year }: PersonTerm, client: SearchedClient): WordMatch | undefined {
  if (!client.dob) return undefined
  if (year) {
    return Number(client.dob.slice(0, 4)) === year
      ? { score: SAME_YEAR, reason: `born in ${year}` }
      : { score: OTHER_YEAR, reason: 'born in another year' }
  }
  if (!dob) return undefined
  const { score, reasons } = compareDates(dob, client.dob)
  return { score, reason: reasons[0] }
}

function matchNumbers({ number, id, postcode }: PersonTerm, client: SearchedClient): WordMatch[] {
  const matches: WordMatch[] = []
  if (id === client.id) matches.push({ score: NUMBER, reason: 'this ID' })
  if (number) {
    const phones = [client.phone, client.mobile].map((one) => phoneKey(one ?? ''))
    if (nhsDigits(client.nhs_number) === number.replaceAll(/\D/g, ''))
      matches.push({ score: NUMBER, reason: 'this NHS number' })
    else if (phones.includes(phoneKey(number))) matches.push({ score: NUMBER, reason: 'this telephone' })
  }
  if (postcode && codeKey(client.postcode ?? '') === postcode)
    matches.push({ score: PLACE, reason: 'this postcode' })
  return matches
}
