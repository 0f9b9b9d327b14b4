import { randomBytes } from 'node:crypto'

/** Seconds of a time step (RFC 6238). */
const PERIOD_S = 30
/**
 * Steps by which a code may be early or late: one for the time that typing takes, and four for a clock that is two
 * minutes off. The limit of guesses, not their number, keeps codes from being guessed.
 */
const WINDOW = 5

/** Loaded with the first code, because most installations have no second factor. */
const otpauth = () => import('otpauth')

/** A new secret of 160 bits, in base32. */
export async function makeSecret(): Promise<string> {
  const { Secret } = await otpauth()
  return new Secret({ buffer: new Uint8Array(randomBytes(20)).buffer }).base32
}

/** The address of a secret that apps read from a QR code. */
export async function addressOf(secret: string, account: string, issuer: string): Promise<string> {
  const { TOTP } = await otpauth()
  return new TOTP({ issuer, label: account, secret, period: PERIOD_S }).toString()
}

/** The time step of a code; undefined if it is not one of the secret around this time (in milliseconds). */
export async function stepOf(
  code: string,
  secret: string,
  timestamp = Date.now(),
): Promise<number | undefined> {
  const { TOTP } = await otpauth()
  const delta = new TOTP({ secret, period: PERIOD_S }).validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_S) + delta
}

/** The QR code of a text, as the size of its square and an SVG path of its dark cells. */
export async function qrOf(text: string): Promise<{ size: number; path: string }> {
  const { encode } = await import('uqr')
  const { size, data } = encode(text, { ecc: 'M', border: 2 })
  const cells = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  return { size, path: cells.join('') }
}
