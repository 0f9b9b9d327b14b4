import type { DemoContext } from './context.ts'
import type { Random } from './random.ts'

// Numbers that are never assigned: Ofcom's for drama, and the NHS's 999 range for tests.
const LANDLINE = '01632 96'
const MOBILE = '07700 90'
const NHS = '999'
const INWARD = 'ABDEFGHJLNPQRSTUWXYZ'

/** An invented first and last name. */
export function person({ random, words }: DemoContext): { first: string; last: string } {
  return { first: random.pick(random.chance(0.5) ? words.female : words.male), last: random.pick(words.last) }
}

export function fullName(context: DemoContext): string {
  const { first, last } = person(context)
  return `${first} ${last}`
}

export function landline(random: Random): string {
  return LANDLINE + digits(random, 4)
}

export function mobile(random: Random): string {
  return MOBILE + digits(random, 4)
}

export function postcode(random: Random, outward: string): string {
  return `${outward} ${random.between(0, 9)}${random.pick([...INWARD])}${random.pick([...INWARD])}`
}

/** A mail address from a name, in ASCII letters. */
export function email(name: string): string {
  const plain = name.normalize('NFD').toLowerCase()
  return `${plain.replaceAll(/[^a-z ]/g, '').replaceAll(' ', '.')}@example.org`
}

/** An NHS number: ten digits, of which the last is the check digit. */
export function nhsNumber(random: Random): string {
  for (;;) {
    const nine = NHS + digits(random, 6)
    const sum = [...nine].reduce((total, digit, i) => total + Number(digit) * (10 - i), 0)
    const check = (11 - (sum % 11)) % 11
    if (check < 10) return `${nine.slice(0, 3)} ${nine.slice(3, 6)} ${nine.slice(6)}${check}`
  }
}

function digits(random: Random, count: number): string {
  return String(random.between(0, 10 ** count - 1)).padStart(count, '0')
}
