import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const LENGTH = 32

/** `scrypt$salt$hash`, salted anew each time. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return `scrypt$${salt.toString('base64url')}$${(await derive(password, salt)).toString('base64url')}`
}

/** Whether a password is the hashed one; takes as long where there is no hash, so that names cannot be guessed by time. */
export async function isPassword(password: string, hashed: string | null | undefined): Promise<boolean> {
  const [, salt = 'none', hash = ''] = (hashed ?? '').split('$')
  const derived = await derive(password, Buffer.from(salt, 'base64url'))
  const known = Buffer.from(hash, 'base64url')
  return known.length === LENGTH && timingSafeEqual(derived, known)
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, LENGTH, COST, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
}
