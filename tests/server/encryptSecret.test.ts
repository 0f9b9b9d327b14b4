import { expect, it } from 'vitest'
import { decryptSecret, encryptSecret } from '../../src/server/access/encryptSecret.ts'
import { readSettings } from '../../src/server/core/settings.ts'

const settingsWith = (byte: number) =>
  readSettings({ ENCRYPTION_KEY: Buffer.alloc(32, byte).toString('base64') })

it('decrypts only for what it was encrypted for, and only as it was', () => {
  const settings = settingsWith(1)
  const stored = encryptSecret(settings, 'row 1', 'a secret')
  expect(decryptSecret(settings, 'row 1', stored)).toBe('a secret')
  expect(decryptSecret(settings, 'row 2', stored)).toBeUndefined()
  expect(decryptSecret(settingsWith(2), 'row 1', stored)).toBeUndefined()
  for (const at of [0, 15, stored.length - 1]) {
    const changed = Buffer.from(stored)
    changed[at] ^= 1
    expect(decryptSecret(settings, 'row 1', changed)).toBeUndefined()
  }
  expect(decryptSecret(settings, 'row 1', stored.subarray(0, 20))).toBeUndefined()
  expect(encryptSecret(settings, 'row 1', 'a secret').equals(stored)).toBe(false)
})
