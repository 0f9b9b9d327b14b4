import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { problem } from '../problems.ts'
import type { Settings } from '../settings.ts'
import { fileStorage } from './storage.ts'

/** Where the content of a file is: in its row, or in the object storage. */
interface Place {
  size: number
  content: Buffer | null
  storage_key: string | null
  sha256: Buffer | null
}

/** A content that was put into the object storage, and that no row may have yet. */
export interface StoredContent {
  key: string
  sha256: Buffer
}

export function sha256Of(content: Buffer): Buffer {
  return createHash('sha256').update(content).digest()
}

/** Whether a content is the one that was put there, whole. */
export function isWhole(content: Buffer, { size, sha256 }: { size: number; sha256: Buffer | null }): boolean {
  return content.length === size && sha256 !== null && sha256Of(content).equals(sha256)
}

/**
 * Puts a content into the object storage, under a key that nobody can guess; undefined where there is no storage. It is
 * there before its row is, so that a row that is committed has its content; of one that is not, a job removes it.
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

/** The content of a file, from where its row says that it is. No connection waits for the storage unless `db` is one. */
export async function readContent(
  { db, settings }: { db: Db; settings: Settings },
  id: number,
): Promise<Buffer> {
  const first = await placeOf(db, id)
  const content = await contentAt(first, settings)
  if (content) return content
  // It may have been moved between the two reads.
  const second = await placeOf(db, id)
  const moved = second.storage_key === first.storage_key ? undefined : await contentAt(second, settings)
  if (!moved) throw problem('contentMissing')
  return moved
}

async function placeOf(db: Db, id: number): Promise<Place> {
  const { rows } =
    await sql<Place>`select size, content, storage_key, sha256 from files where id = ${id}`.execute(db)
  if (!rows[0]) throw problem('notFound')
  return rows[0]
}

/** Undefined where the storage has no such object, or another one than was put there. */
async function contentAt(place: Place, { FILES_URL }: Settings): Promise<Buffer | undefined> {
  if (place.content) return place.content
  const storage = await fileStorage(FILES_URL)
  if (!storage) throw problem('storageUnknown')
  const found = await storage.get(place.storage_key!, place.size)
  return found && isWhole(found, place) ? found : undefined
}
