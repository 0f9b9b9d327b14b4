import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { type FileStorage, fileStorage } from '../files/storage.ts'
import type { JobContext } from './jobs.ts'

/** Milliseconds that an object outlives its file: as long as an upload, an export or a backup may still need it. */
const DAY = 86_400_000
/** Keys at a time. */
const BATCH = 500
/** Objects that are removed at once. */
const AT_ONCE = 8
const IS_KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Removes what no file has from the object storage: of files that were deleted, and of uploads that were rolled back. */
export async function removeContents({
  db,
  settings,
  ending,
}: Pick<JobContext, 'db' | 'settings' | 'ending'>): Promise<void> {
  const storage = await fileStorage(settings.FILES_URL)
  if (!storage) return
  await removeDeleted(db, storage, ending)
  await removeOrphans(db, storage, ending)
}

async function removeDeleted(db: Db, storage: FileStorage, ending: AbortSignal): Promise<void> {
  while (!ending.aborted) {
    const { rows } = await sql<{ key: string }>`select key from removed_contents r
      where removed_at < now() - interval '1 day' and not exists (select from files f where f.storage_key = r.key)
      order by removed_at limit ${BATCH}`.execute(db)
    const keys = rows.map(({ key }) => key)
    await removeAll(storage, keys)
    await sql`delete from removed_contents where key = any(${keys}::uuid[])`.execute(db)
    if (keys.length < BATCH) return
  }
}

/** Compares the storage with the files, a page of keys at a time. */
async function removeOrphans(db: Db, storage: FileStorage, ending: AbortSignal): Promise<void> {
  for await (const page of storage.pages()) {
    if (ending.aborted) return
    const old = page.filter(({ key, at }) => IS_KEY.test(key) && at.getTime() < Date.now() - DAY)
    const { rows } = await sql<{
      key: string
    }>`select k.key from unnest(${old.map(({ key }) => key)}::uuid[]) k(key)
      where not exists (select from files f where f.storage_key = k.key)
        and not exists (select from removed_contents r where r.key = k.key)`.execute(db)
    await removeAll(
      storage,
      rows.map(({ key }) => key),
    )
  }
}

async function removeAll(storage: FileStorage, keys: string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += AT_ONCE)
    await Promise.all(keys.slice(at, at + AT_ONCE).map((key) => storage.remove(key)))
}
