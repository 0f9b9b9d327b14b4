import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Settings } from '../core/settings.ts'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts a secret that the product has to read again, with ENCRYPTION_KEY. `purpose` is authenticated with it, so
 * that a secret that is copied to another column or row does not decrypt there.
 */
export function encryptSecret({ ENCRYPTION_KEY }: Settings, purpose: string, secret: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, keyOf(ENCRYPTION_KEY), iv).setAAD(Buffer.from(purpose))
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text])
}

/** Decrypts a secret; undefined if the key or the purpose is another one, or the secret was changed. */
export function decryptSecret(
  { ENCRYPTION_KEY }: Settings,
  purpose: string,
  stored: Buffer,
): string | undefined {
  try {
    const iv = stored.subarray(0, IV_BYTES)
    const tag = stored.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
    const decipher = createDecipheriv(CIPHER, keyOf(ENCRYPTION_KEY), iv, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(tag)
    return decipher.update(stored.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}

function keyOf(setting: string): Buffer {
  return Buffer.from(setting, 'base64')
}
