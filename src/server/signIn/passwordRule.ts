import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ruleError } from '../../contract/rules.ts'
import { fieldProblem } from '../problems.ts'
import type { Settings } from '../settings.ts'
import { rootFolder } from '../start/rootFolder.ts'

/** Whose password it is to be. */
interface Owner {
  username: string
  first_name: string
  last_name: string
  email?: string | null
}
/** Characters of the shortest word that a password may not hold: shorter ones stand inside of other words. */
const SHORTEST_WORD = 4

/**
 * Throws the 400 of a new password that is too short, the user name, among the most common ones, or that holds a name of
 * its owner, a part of their mail address, or a word of the organisation's or the product's name; capitals do not help.
 */
export function refusePassword(
  password: string,
  owner: Owner,
  settings: Pick<Settings, 'ORGANISATION' | 'PRODUCT_NAME'>,
): void {
  const words = wordsAgainst(password, owner, settings)
  if (words) throw fieldProblem({ password: [words] })
}

function wordsAgainst(
  password: string,
  { username, first_name, last_name, email }: Owner,
  { ORGANISATION, PRODUCT_NAME }: Pick<Settings, 'ORGANISATION' | 'PRODUCT_NAME'>,
): string | undefined {
  const short = ruleError('new_password', password, { answers: {}, today: '' })
  if (short) return `Password ${short}`
  const plain = plainOf(password)
  if (plain === plainOf(username)) return 'Password must not be the user name'
  if (common().includes(plain)) return 'Password must not be one that many people use'
  // The last part of a mail address (org, uk) says nothing of its owner.
  const mail = (email ?? '').replace(/\.[^.]*$/, '')
  const holds = (...texts: string[]) => texts.flatMap(partsOf).some((part) => plain.includes(part))
  if (holds(username, first_name, last_name, mail)) return 'Password must not hold your name or mail address'
  return holds(ORGANISATION, PRODUCT_NAME)
    ? 'Password must not hold the name of the organisation or of this product'
    : undefined
}

/** The words of a name, in small letters, that are long enough to be recognised. */
function partsOf(text: string): string[] {
  return plainOf(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((part) => part.length >= SHORTEST_WORD)
}

/** Those that are long enough, in small letters; from the lists of leaked passwords in zxcvbn (MIT), and others like them. */
function common(): string[] {
  return JSON.parse(
    readFileSync(join(rootFolder(), 'src/server/signIn/commonPasswords.json'), 'utf8'),
  ) as string[]
}

function plainOf(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}
