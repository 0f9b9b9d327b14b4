import { Readable } from 'node:stream'
import { StartProblem } from '../../core/startProblem.ts'

type Bytes = AsyncIterable<Buffer | Uint8Array>

/** Public keys of a setting, separated by commas. */
export function recipientsOf(setting: string): string[] {
  return setting
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
}

/** A step of a pipeline that encrypts for the owners of public keys, in the format age (age-encryption.org). */
export async function encrypting(recipients: string[]): Promise<(source: Bytes) => AsyncGenerator<Buffer>> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient)
    } catch {
      throw new StartProblem(`BACKUP_RECIPIENT ${recipient} is not a public key of age: copy it again.`)
    }
  }
  return async function* (source) {
    yield* bytesOf(await encrypter.encrypt(streamOf(source)))
  }
}

/** A step of a pipeline that decrypts by the secret keys of an identity file of age. */
export async function decrypting(identity: string): Promise<(source: Bytes) => AsyncGenerator<Buffer>> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  const keys = identity
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
  if (keys.length === 0)
    throw new StartProblem('The backup is encrypted: set BACKUP_IDENTITY_FILE to the file of its secret key.')
  for (const key of keys) {
    try {
      decrypter.addIdentity(key)
    } catch {
      throw new StartProblem('BACKUP_IDENTITY is not a secret key of age, which begins with AGE-SECRET-KEY-.')
    }
  }
  return async function* (source) {
    const decrypted = await decrypter.decrypt(streamOf(source)).catch((error) => {
      if (!/identity/.test((error as Error).message)) throw error
      throw new StartProblem(
        'The backup was encrypted for another key than that of BACKUP_IDENTITY: use the one that belongs to BACKUP_RECIPIENT.',
      )
    })
    yield* bytesOf(decrypted)
  }
}

function streamOf(source: Bytes): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(source, { objectMode: true })) as ReadableStream<Uint8Array>
}

async function* bytesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0])) yield chunk
}
