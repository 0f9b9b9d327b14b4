import { searchWords, textKey } from '../../../contract/compareKey.ts'
import type { Person } from './person.ts'

/** The parts of a name as they are compared: text keys. */
export interface NameKeys {
  /** First names in order, without titles; a middle name is one of them. */
  firsts: string[]
  /** Words of the surname without particles. */
  lasts: string[]
  /** Words of 'known as'. */
  known: string[]
  /** Junior or senior. */
  generation: string | undefined
}

const TITLES = [
  'mr',
  'mrs',
  'ms',
  'miss',
  'mx',
  'dr',
  'prof',
  'sir',
  'dame',
  'rev',
  'revd',
  'fr',
  'sr',
  'sheikh',
  'haji',
  'hajji',
  'pan',
  'pani',
]
const GENERATIONS: Record<string, string> = {
  jr: 'junior',
  jnr: 'junior',
  junior: 'junior',
  sr: 'senior',
  snr: 'senior',
  senior: 'senior',
  ii: 'junior',
  iii: 'third',
}
/** Words that belong to the next one and that others leave out or write together with it. */
const PARTICLES = [
  'al',
  'el',
  'ul',
  'bin',
  'ibn',
  'bint',
  'ben',
  'de',
  'da',
  'do',
  'dos',
  'das',
  'del',
  'della',
  'di',
  'du',
  'la',
  'le',
  'van',
  'von',
  'der',
  'den',
  'ter',
  'ap',
  'ab',
  'ferch',
  'o',
  'ni',
  'ui',
  'nic',
  'mac',
  'mc',
  'st',
  'y',
  'e',
  'i',
]
/** Letters that Arabic writers use one for the other, and marks that they leave out. */
const ARABIC: [RegExp, string][] = [
  [/[\u064B-\u065F\u0670\u0640]/g, ''],
  [/[أإآٱ]/g, 'ا'],
  [/ة/g, 'ه'],
  [/[ىئ]/g, 'ي'],
  [/ؤ/g, 'و'],
]

export function nameKeysOf(person: Person): NameKeys {
  const firsts = wordsOf(person.first_name)
  const lasts = wordsOf(person.last_name)
  const generation = [...lasts.slice(1), ...firsts.slice(1)].map((word) => GENERATIONS[word]).find(Boolean)
  const isName = (word: string, i: number) => i === 0 || !GENERATIONS[word]
  return {
    firsts: joinParticles(withoutTitle(firsts).filter(isName)),
    lasts: joinParticles(lasts.filter(isName)),
    known: wordsOf(person.known_as),
    generation,
  }
}

/** The words of a name as text keys, of which hyphens, dots and brackets are no part. */
function wordsOf(name: string | null | undefined): string[] {
  let text = (name ?? '').replaceAll(/[.()[\]"/_]/g, ' ')
  for (const [letters, plain] of ARABIC) text = text.replaceAll(letters, plain)
  return searchWords(text).map(textKey)
}

function withoutTitle(words: string[]): string[] {
  return words.length > 1 && TITLES.includes(words[0]) ? words.slice(1) : words
}

/** Joins each particle with the word that it belongs to; 'Mac' and 'Mc' are one. */
function joinParticles(words: string[]): string[] {
  const joined: string[] = []
  let particles = ''
  for (const [i, word] of words.entries()) {
    if (PARTICLES.includes(word) && i < words.length - 1) particles += word
    else {
      joined.push((particles + word).replace(/^mac(?=[a-z]{3})/, 'mc'))
      particles = ''
    }
  }
  return joined
}

/** A word without the particle that it is written together with: 'hassan' for 'alhassan', 'brien' for 'obrien'. */
export function withoutParticle(word: string): string {
  return word.replace(/^(?:al|el|bin|ibn|ap|van|der|de|o|mc|ni)(?=[a-z]{4})/, '')
}

/** How a word of plain letters sounds, roughly: its consonants, with spellings of one sound made one. */
export function soundKey(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word
  const spelled = word
    .replace(/^(?:kn|gn)/, 'n')
    .replace(/^wr/, 'r')
    .replace(/^[pP]s/, 's')
    .replaceAll(/sz|cz|sch|sh|ch/g, 's')
    .replaceAll('ph', 'f')
    .replaceAll(/gh(?=t)/g, '')
    .replaceAll(/ck|q/g, 'k')
    .replaceAll(/c(?=[eiy])/g, 's')
    .replaceAll('c', 'k')
    .replaceAll('x', 'ks')
    .replaceAll('z', 's')
    .replaceAll(/v|w(?=[aeiou])/g, 'f')
    .replaceAll('dg', 'j')
    .replaceAll(/(?<!^)h/g, '')
    .replaceAll(/^[aeiouy]/g, 'a')
  return (spelled.charAt(0) + spelled.slice(1).replaceAll(/[aeiouyw]/g, '')).replaceAll(/(.)\1+/g, '$1')
}
