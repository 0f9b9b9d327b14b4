import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { makeSemaphore } from '../core/semaphore.ts'

/** Parameters of scrypt; `cost` is log2 of its N. One run takes 128 × N × r bytes: 128 MB at a cost of 17. */
interface Parameters {
  cost: number
  r: number
  p: number
}
interface Hash extends Parameters {
  salt: Buffer
  key: Buffer
}

const LENGTH = 32
const R = 8
const P = 1
/** Cost of hashes in the old format, which does not contain it. */
export const OLD_COST = 15

/** Two at once take 256 MB, and leave the other threads of Node's pool for files and DNS. */
export const hashing = makeSemaphore({ concurrency: 2, queueLimit: 200, timeoutMs: 15_000 })

/** Hashes a password with a new salt, as a PHC string: `$scrypt$ln=17,r=8,p=1$salt$key`. A 503 if too many wait. */
export async function hashPassword(password: string, cost: number): Promise<string> {
  const salt = randomBytes(16)
  const key = await hashing(() => derive(password, salt, { cost, r: R, p: P }))
  return `$scrypt$ln=${cost},r=${R},p=${P}$${base64(salt)}$${base64(key)}`
}

/**
 * True if a password matches a hash. It always takes as long as `slowest`, the highest cost of all hashes, even with a
 * lower cost or without a hash, so that the time does not reveal user names. Throws a 503 if too many wait.
 */
export function isPassword(
  password: string,
  storedHash: string | null | undefined,
  slowest: number,
): Promise<boolean> {
  const hash = parse(storedHash)
  return hashing(async () => {
    // Costs are powers of two: the steps from a lower cost up and the hash itself add up to the slowest one.
    for (let cost = hash?.cost ?? slowest; cost < slowest; cost++)
      await derive(password, Buffer.alloc(16), { cost, r: R, p: P })
    const derived = await derive(
      password,
      hash?.salt ?? Buffer.alloc(16),
      hash ?? { cost: slowest, r: R, p: P },
    )
    return hash !== undefined && timingSafeEqual(derived, hash.key)
  })
}

/** True if a stored hash has a lower cost than new ones. */
export function isWeak(storedHash: string, cost: number): boolean {
  return (parse(storedHash)?.cost ?? 0) < cost
}

function parse(storedHash: string | null | undefined): Hash | undefined {
  const [, ln, r, p, salt, key] =
    storedHash?.match(/^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/) ?? []
  if (key)
    return {
      cost: Number(ln),
      r: Number(r),
      p: Number(p),
      salt: Buffer.from(salt, 'base64'),
      key: Buffer.from(key, 'base64'),
    }
  const [, oldSalt, oldKey] = storedHash?.match(/^scrypt\$([\w-]+)\$([\w-]+)$/) ?? []
  if (!oldKey) return undefined
  return {
    cost: OLD_COST,
    r: R,
    p: P,
    salt: Buffer.from(oldSalt, 'base64url'),
    key: Buffer.from(oldKey, 'base64url'),
  }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

function derive(password: string, salt: Buffer, { cost, r, p }: Parameters): Promise<Buffer> {
  const N = 2 ** cost
  return new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, LENGTH, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
}
