import { createHash, randomBytes } from 'node:crypto'

/** A secret for a URL or header: 32 random bytes as base64url. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Hash of a token, stored instead of it so that a reader of the database cannot use it. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
