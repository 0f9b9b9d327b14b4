import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { StartProblem } from '../../core/startProblem.ts'
import { storageAddress } from '../../core/storageAddress.ts'
import { type FileStorage, openStorage } from '../../records/files/storage.ts'

/** Key of the object with the id of the installation that owns the storage. */
const OWNER_KEY = 'installation'

/** Causes in plain words, by error code of S3 or of the network. */
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
 * Tests an object storage and claims it for the installation of this database. Throws a StartProblem if it cannot be
 * used or belongs to another installation.
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

/**
 * Id of the installation that owns a storage; claims one without an owner. Tries all operations that a server needs.
 */
async function ownerOf(storage: FileStorage, installation: string): Promise<string> {
  await storage.pages().next()
  await storage.remove(randomUUID())
  const owner = (await storage.get(OWNER_KEY, installation.length))?.toString() ?? installation
  if (owner === installation) await storage.put(OWNER_KEY, Buffer.from(installation))
  return owner
}

/** A warning if some files are in an object storage, for a server without FILES_URL. */
export async function storedFilesWarning(db: Db): Promise<string | undefined> {
  const { rows } = await sql`select from files where storage_key is not null limit 1`.execute(db)
  if (rows.length === 0) return undefined
  return 'Some files are in an object storage and cannot be opened: set FILES_URL, or move them with `npm run move-files -- to-database`.'
}
