import { addAbortSignal, type Readable } from 'node:stream'
import type { GetObjectCommandOutput, ListObjectsV2CommandOutput } from '@aws-sdk/client-s3'
import { type Problem, problem } from '../problems.ts'
import { storageAddress } from './storageAddress.ts'

/**
 * An object storage with the contents of files, each under its key. What cannot be done is thrown as the 503
 * `storageAway`, whose code is that of S3 or of the network.
 */
export interface FileStorage {
  put(key: string, content: Buffer): Promise<void>
  /** The content, of `size` bytes as far as is known; undefined where there is none of that key. */
  get(key: string, size: number): Promise<Buffer | undefined>
  /** Does nothing where there is none of that key. */
  remove(key: string): Promise<void>
  /** All keys, up to a thousand at a time. */
  pages(): AsyncGenerator<StoredObject[]>
}
interface StoredObject {
  key: string
  /** When it was put, by the clock of the storage. */
  at: Date
}

/** Milliseconds for a request while somebody waits for the reply, besides what its bytes take. */
const PATIENCE = 5000
/** The same where nobody waits: for commands. */
export const LONG_PATIENCE = 60_000
/** Bytes a millisecond of the slowest storage that is waited for. */
const SLOWEST = 2000
const CONNECTING = 2000

const opened = new Map<string, Promise<FileStorage>>()

/** The storage of FILES_URL, whose client is loaded when it is first used; undefined where the setting is empty. */
export function fileStorage(url: string): Promise<FileStorage> | undefined {
  if (!url) return undefined
  if (!opened.has(url)) opened.set(url, openStorage(url))
  return opened.get(url)
}

export async function openStorage(url: string, patience = PATIENCE): Promise<FileStorage> {
  const address = storageAddress(url)
  if (!address) throw new Error('FILES_URL is no address of an object storage.')
  const { endpoint, region, key: accessKeyId, secret: secretAccessKey, bucket: Bucket, folder } = address
  const { S3Client, DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand } =
    await import('@aws-sdk/client-s3')
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // What stores other than Amazon's understand: the bucket in the path, and no checksums in trailers.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    // Half of the patience without a byte, so that a connection which broke unnoticed leaves time for another.
    requestHandler: { connectionTimeout: CONNECTING, socketTimeout: patience / 2 },
  })
  const within = async <T>(bytes: number, work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> => {
    const signal = AbortSignal.timeout(patience + Math.ceil(bytes / SLOWEST))
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

/** The body as a whole; ends with an error where it stops coming. */
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

/** The 503 that any failure of a storage stands for, with its code for the log. */
function storageProblem(error: unknown): Problem & { code: string } {
  const { code, name } = error as { code?: unknown; name: string }
  return Object.assign(problem('storageAway'), { code: typeof code === 'string' ? code : name })
}
