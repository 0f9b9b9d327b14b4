import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { type FileStorage, openStorage } from '../files/storage.ts'
import { storageAddress } from '../files/storageAddress.ts'
import { StartProblem } from './startProblem.ts'

/** The object in which a storage notes whose files it holds. */
const OWNER = 'installation'

/** By the codes of S3 and of the network, what is wrong. */
const REASONS: Record<string, string> = {
  NoSuchBucket: 'it has no such bucket',
  InvalidAccessKeyId: 'it does not know the key',
  SignatureDoesNotMatch: 'the secret is not that of the key',
  AccessDenied: 'the key may not list, read, write and delete there',
  PermanentRedirect: 'the bucket is somewhere else; its region may be another one',
  AuthorizationHeaderMalformed: 'the region is another one',
  TimeoutError: 'it does not answer',
  AbortError: 'it does not answer',
}

/**
 * Tries an object storage and notes there that it is the installation's whose database this is. A StartProblem says in a
 * sentence why it cannot be used.
 */
export async function claimStorage(url: string, db: Db): Promise<void> {
  const where = `The object storage of FILES_URL (${storageAddress(url)!.place})`
  const { rows } = await sql<{ id: string }>`select id from installation`.execute(db)
  const [{ id }] = rows
  const owner = await ownerOf(await openStorage(url), id).catch(({ code = 'unknown' }) => {
    throw new StartProblem(
      `${where} cannot be used: ${REASONS[code] ?? 'it cannot be reached or refuses'} (${code}).`,
    )
  })
  if (owner === id) return
  throw new StartProblem(
    `${where} holds the files of another installation, or of the one that this was copied from. Name another bucket or folder.`,
  )
}

/** Whose files a storage holds: nobody's become this installation's. Tries all that a server does there later. */
async function ownerOf(storage: FileStorage, installation: string): Promise<string> {
  await storage.pages().next()
  await storage.remove(randomUUID())
  const owner = (await storage.get(OWNER, installation.length))?.toString() ?? installation
  if (owner === installation) await storage.put(OWNER, Buffer.from(installation))
  return owner
}

/** What to warn of where FILES_URL is empty and some files are in an object storage all the same. */
export async function warningOfStored(db: Db): Promise<string | undefined> {
  const { rows } = await sql`select from files where storage_key is not null limit 1`.execute(db)
  if (rows.length === 0) return undefined
  return 'Some files are in an object storage and cannot be opened: set FILES_URL, or move them with `npm run move-files -- to-database`.'
}
