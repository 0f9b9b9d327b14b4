import { createHash, randomBytes } from 'node:crypto'

/** A secret for an address or a header: 32 random bytes in letters that need no escape. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What is kept of a token: whoever reads the database cannot use it. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
