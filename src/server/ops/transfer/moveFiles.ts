import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { isWhole, sha256Of } from '../../records/files/content.ts'
import type { FileStorage } from '../../records/files/storage.ts'

export type Direction = 'to-storage' | 'to-database'

export interface Moved {
  files: number
  bytes: number
  /** Ids of files whose content is missing or does not match its hash; they are left unchanged. */
  damaged: number[]
}

interface Moving {
  client: Client
  storage: FileStorage
}
interface FileRow {
  id: number
  size: number
  content: Buffer | null
  storage_key: string
  sha256: Buffer
}

/** Ids in one query. */
const BATCH = 200
/** Conditions for files that are yet to be moved. */
const SOURCE = { 'to-storage': 'content is not null', 'to-database': 'storage_key is not null' }
const MOVE = { 'to-storage': toStorage, 'to-database': toDatabase }

/**
 * Moves the content of every file, one after the other; people may keep working. Each content is read back and compared
 * before its source is removed, so that a run may be ended at any time and repeated. Calls `progress` after each file.
 */
export async function moveFiles(
  moving: Moving,
  direction: Direction,
  progress: (moved: Moved, total: number) => void = () => undefined,
): Promise<Moved> {
  const { client } = moving
  const moved: Moved = { files: 0, bytes: 0, damaged: [] }
  const count = `select count(*)::int as total from files where ${SOURCE[direction]}`
  const [{ total }] = (await client.query<{ total: number }>(count)).rows
  const next = `select id from files where id > $1 and ${SOURCE[direction]} order by id limit ${BATCH}`
  for (let last = 0; ; ) {
    const { rows } = await client.query<{ id: number }>(next, [last])
    if (rows.length === 0) break
    for (const { id } of rows) {
      const size = await MOVE[direction](moving, id)
      if (size === 'damaged') moved.damaged.push(id)
      else if (size !== undefined) {
        moved.files += 1
        moved.bytes += size
      }
      progress(moved, total)
      last = id
    }
  }
  if (direction === 'to-database') await removeDeleted(moving)
  return moved
}

/** Returns the moved bytes; undefined if the file was deleted or moved by others meanwhile. */
async function toStorage({ client, storage }: Moving, id: number): Promise<number | 'damaged' | undefined> {
  const file = await fileOf(client, id)
  if (!file?.content) return undefined
  const { content, size } = file
  if (content.length !== size) return 'damaged'
  const [key, sha256] = [randomUUID(), sha256Of(content)]
  await storage.put(key, content)
  const stored = await storage.get(key, size)
  if (!stored || !isWhole(stored, { size, sha256 }))
    throw new Error('The object storage does not answer what was put there. Nothing was removed.')
  const update = `update files set content = null, storage_key = $2, sha256 = $3
    where id = $1 and content is not null`
  const { rowCount } = await client.query(update, [id, key, sha256])
  if (rowCount === 1) return size
  await storage.remove(key)
  return undefined
}

/**
 * The same for the other direction. A trigger stores the key for removal, so that an interrupted run leaves no object.
 */
async function toDatabase({ client, storage }: Moving, id: number): Promise<number | 'damaged' | undefined> {
  const file = await fileOf(client, id)
  if (!file?.storage_key) return undefined
  const content = await storage.get(file.storage_key, file.size)
  if (!content || !isWhole(content, file)) return 'damaged'
  const update = `update files set content = $2, storage_key = null, sha256 = null
    where id = $1 and storage_key = $3`
  const { rowCount } = await client.query(update, [id, content, file.storage_key])
  if (rowCount !== 1) return undefined
  await removeObject({ client, storage }, file.storage_key)
  return file.size
}

async function fileOf(client: Client, id: number): Promise<FileRow | undefined> {
  const query = 'select id, size, content, storage_key, sha256 from files where id = $1'
  return (await client.query<FileRow>(query, [id])).rows[0]
}

/** Removes now the objects that a job would remove later, because the storage may be about to be shut down. */
async function removeDeleted(moving: Moving): Promise<void> {
  for (;;) {
    const { rows } = await moving.client.query<{ key: string }>(
      `select key from removed_contents r
      where not exists (select from files f where f.storage_key = r.key) limit ${BATCH}`,
    )
    if (rows.length === 0) return
    for (const { key } of rows) await removeObject(moving, key)
  }
}

/** Removes the object of a key, unless another file has that key too. */
async function removeObject({ client, storage }: Moving, key: string): Promise<void> {
  const { rowCount } = await client.query('select from files where storage_key = $1 limit 1', [key])
  if (rowCount !== 0) return
  await storage.remove(key)
  await client.query('delete from removed_contents where key = $1', [key])
}
