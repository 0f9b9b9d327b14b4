import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ruleError } from '../../contract/rules.ts'
import { fieldProblem } from '../problems.ts'
import { rootFolder } from '../start/rootFolder.ts'

/** Throws the 400 of a new password that is too short, the user name, or among the most common ones; capitals do not help. */
export function refusePassword(password: string, username: string): void {
  const words = wordsAgainst(password, username)
  if (words) throw fieldProblem({ password: [words] })
}

function wordsAgainst(password: string, username: string): string | undefined {
  const short = ruleError('new_password', password, { answers: {}, today: '' })
  if (short) return `Password ${short}`
  const plain = plainOf(password)
  if (plain === plainOf(username)) return 'Password must not be the user name'
  return common().includes(plain) ? 'Password must not be one that many people use' : undefined
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
