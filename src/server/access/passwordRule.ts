import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { isPattern } from '../../contract/passwordStrength.ts'
import { ruleError } from '../../contract/rules.ts'
import { fieldProblem } from '../core/problems.ts'
import { rootFolder } from '../core/rootFolder.ts'
import type { Settings } from '../core/settings.ts'

/** The person whose password is set. */
interface Owner {
  username: string
  first_name: string
  last_name: string
  email?: string | null
}
/** Minimum length of the words that a password must not contain: shorter ones are part of other words. */
const MIN_WORD_LENGTH = 4

/**
 * Throws a 400 if a new password is too short, equals the user name, is one of the most common ones, or contains a name
 * or part of the mail address of its owner, or a word of the organisation's or product's name. Case is ignored.
 */
export function refusePassword(
  password: string,
  owner: Owner,
  settings: Pick<Settings, 'ORGANISATION' | 'PRODUCT_NAME'>,
): void {
  const words = refusalOf(password, owner, settings)
  if (words) throw fieldProblem({ password: [words] })
}

function refusalOf(
  password: string,
  { username, first_name, last_name, email }: Owner,
  { ORGANISATION, PRODUCT_NAME }: Pick<Settings, 'ORGANISATION' | 'PRODUCT_NAME'>,
): string | undefined {
  const short = ruleError('new_password', password, { answers: {}, today: '' })
  if (short) return `Password ${short}`
  const plain = plainOf(password)
  if (plain === plainOf(username)) return 'Password must not be the user name'
  if (isCommon(plain)) return 'Password must not be one that many people use'
  // The top-level domain of a mail address (org, uk) is not specific to its owner.
  const mail = (email ?? '').replace(/\.[^.]*$/, '')
  const holds = (...texts: string[]) => texts.flatMap(partsOf).some((part) => plain.includes(part))
  if (holds(username, first_name, last_name, mail))
    return 'Password must not contain your name or email address'
  if (holds(ORGANISATION, PRODUCT_NAME))
    return 'Password must not contain the name of the organisation or of this product'
  return isPattern(plain) ? 'Password must not be made of a season, a month, a year or the like' : undefined
}

/** The words of a text that have at least the minimum length, in lower case. */
function partsOf(text: string): string[] {
  return plainOf(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((part) => part.length >= MIN_WORD_LENGTH)
}

let common: Set<string> | undefined

/**
 * True for a password that is too common: one of the million most common of ten million leaked ones, or of our own list
 * for this kind of product. The lists only have passwords of 12 characters or more, because shorter ones are refused
 * anyway.
 */
function isCommon(plain: string): boolean {
  // Loaded when the first password is set: few processes ever need it.
  common ??= new Set([...leakedPasswords(), ...ownList()])
  return common.has(plain)
}

function leakedPasswords(): string[] {
  return brotliDecompressSync(readFileSync(fileOf('leakedPasswords.txt.br')))
    .toString()
    .split('\n')
}

function ownList(): string[] {
  return JSON.parse(readFileSync(fileOf('commonPasswords.json'), 'utf8')) as string[]
}

const fileOf = (name: string) => join(rootFolder(), 'src/server/access', name)

function plainOf(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}
