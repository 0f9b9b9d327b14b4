import { addAbortSignal, type Readable } from 'node:stream'
import type { GetObjectCommandOutput, ListObjectsV2CommandOutput } from '@aws-sdk/client-s3'
import { type Problem, problem } from '../../core/problems.ts'
import { storageAddress } from '../../core/storageAddress.ts'

/**
 * An object storage with the contents of files by key. Failures are thrown as the 503 `storageAway`, with the error
 * code of S3 or of the network.
 */
export interface FileStorage {
  put(key: string, content: Buffer): Promise<void>
  /** The content, expected to have `size` bytes; undefined if there is none with that key. */
  get(key: string, size: number): Promise<Buffer | undefined>
  /** Does nothing if there is no object with that key. */
  remove(key: string): Promise<void>
  /** All objects, in pages of up to a thousand. */
  pages(): AsyncGenerator<StoredObject[]>
}
interface StoredObject {
  key: string
  /** Time of its last change, by the clock of the storage. */
  at: Date
}

/** Timeout of a request in a call, in milliseconds, without the time to transfer its bytes. */
const TIMEOUT_MS = 5000
/** The same for commands, where nobody waits. */
export const LONG_TIMEOUT_MS = 60_000
/** Minimum transfer rate, in bytes per millisecond. */
const MIN_BYTES_PER_MS = 2000
const CONNECTION_TIMEOUT_MS = 2000

/** Requests to the storage that failed since this server started. */
export const storageOutcomes = { failures: 0 }

const storages = new Map<string, Promise<FileStorage>>()

/** The storage of FILES_URL, opened at its first use; undefined if the setting is empty. */
export function fileStorage(url: string): Promise<FileStorage> | undefined {
  if (!url) return undefined
  if (!storages.has(url)) storages.set(url, openStorage(url))
  return storages.get(url)
}

export async function openStorage(url: string, timeoutMs = TIMEOUT_MS): Promise<FileStorage> {
  const address = storageAddress(url)
  if (!address) throw new Error('FILES_URL is not the address of an object storage.')
  const { endpoint, region, key: accessKeyId, secret: secretAccessKey, bucket: Bucket, folder } = address
  const { S3Client, DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand } =
    await import('@aws-sdk/client-s3')
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // For storages other than Amazon's: the bucket in the path, and no checksums in trailers.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    // Half of the timeout, so that a connection that broke unnoticed leaves time for a retry.
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, socketTimeout: timeoutMs / 2 },
  })
  const within = async <T>(bytes: number, work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> => {
    const signal = AbortSignal.timeout(timeoutMs + Math.ceil(bytes / MIN_BYTES_PER_MS))
    try {
      return await work(signal)
    } catch (error) {
      throw storageProblem(error)
    }
  }
  return {
    put: (key, content) =>
      within(content.length, async (abortSignal) => {
        const object = { Bucket, Key: folder + key, Body: content, ContentLength: content.length }
        await client.send(new PutObjectCommand(object), { abortSignal })
      }),
    get: (key, size) =>
      within(size, async (abortSignal) => {
        const command = new GetObjectCommand({ Bucket, Key: folder + key })
        const reply = await client.send(command, { abortSignal }).catch((error): undefined => {
          if (error.name !== 'NoSuchKey') throw error
        })
        return reply && (await bodyOf(reply, abortSignal))
      }),
    remove: (key) =>
      within(0, async (abortSignal) => {
        await client.send(new DeleteObjectCommand({ Bucket, Key: folder + key }), { abortSignal })
      }),
    pages: async function* () {
      let token: string | undefined
      do {
        const command = new ListObjectsV2Command({ Bucket, Prefix: folder, ContinuationToken: token })
        const page = await within(0, (abortSignal) => client.send(command, { abortSignal }))
        yield objectsOf(page, folder)
        token = page.IsTruncated ? page.NextContinuationToken : undefined
      } while (token)
    },
  }
}

/** Reads the whole body; rejects if it stalls. */
async function bodyOf({ Body }: GetObjectCommandOutput, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of addAbortSignal(signal, Body as Readable)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function objectsOf({ Contents = [] }: ListObjectsV2CommandOutput, folder: string): StoredObject[] {
  return Contents.flatMap(({ Key, LastModified }) =>
    Key && LastModified ? [{ key: Key.slice(folder.length), at: LastModified }] : [],
  )
}

/** The 503 for a failure of the storage, with its code for the log. */
function storageProblem(error: unknown): Problem & { code: string } {
  storageOutcomes.failures++
  const { code, name } = error as { code?: unknown; name: string }
  return Object.assign(problem('storageAway'), { code: typeof code === 'string' ? code : name })
}
