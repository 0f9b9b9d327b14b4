import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'
import type { StoredContent } from '../../core/sentFile.ts'
import type { Settings } from '../../core/settings.ts'
import { fileStorage } from './storage.ts'

/** The content of a file in its row, or its key in the object storage. */
interface ContentPlace {
  size: number
  content: Buffer | null
  storage_key: string | null
  sha256: Buffer | null
}

export function sha256Of(content: Buffer): Buffer {
  return createHash('sha256').update(content).digest()
}

/** True if a content has the stored size and hash. */
export function isWhole(content: Buffer, { size, sha256 }: { size: number; sha256: Buffer | null }): boolean {
  return content.length === size && sha256 !== null && sha256Of(content).equals(sha256)
}

/**
 * Puts a content into the object storage, under a random key; undefined if there is no storage. It is put there before
 * its row is inserted, so that every committed row has its content; a job removes contents without a row.
 */
export async function putContent(
  { FILES_URL }: Settings,
  content: Buffer,
): Promise<StoredContent | undefined> {
  const storage = await fileStorage(FILES_URL)
  if (!storage) return undefined
  const stored = { key: randomUUID(), sha256: sha256Of(content) }
  await storage.put(stored.key, content)
  return stored
}

/** Reads the content of a file. No connection is held while the storage is read, unless `db` is a transaction. */
export async function readContent(
  { db, settings }: { db: Db; settings: Settings },
  id: number,
): Promise<Buffer> {
  const first = await placeOf(db, id)
  const content = await contentAt(first, settings)
  if (content) return content
  // It may have been moved between reading the row and the storage.
  const second = await placeOf(db, id)
  const moved = second.storage_key === first.storage_key ? undefined : await contentAt(second, settings)
  if (!moved) throw problem('contentMissing')
  return moved
}

async function placeOf(db: Db, id: number): Promise<ContentPlace> {
  const { rows } =
    await sql<ContentPlace>`select size, content, storage_key, sha256 from files where id = ${id}`.execute(db)
  if (!rows[0]) throw problem('notFound')
  return rows[0]
}

/** The content of a place; undefined if the storage lacks the object or has a different one. */
async function contentAt(place: ContentPlace, { FILES_URL }: Settings): Promise<Buffer | undefined> {
  if (place.content) return place.content
  const storage = await fileStorage(FILES_URL)
  if (!storage) throw problem('storageUnknown')
  const found = await storage.get(place.storage_key!, place.size)
  return found && isWhole(found, place) ? found : undefined
}
