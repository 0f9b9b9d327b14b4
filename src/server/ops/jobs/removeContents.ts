import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { type FileStorage, fileStorage } from '../../records/files/storage.ts'
import type { JobContext } from './runJobs.ts'

/** Minimum age of an object before removal, in milliseconds: an upload, export or backup may still need it. */
const DAY_MS = 86_400_000
/** Keys per query. */
const BATCH = 500
/** Objects that are removed in parallel. */
const CONCURRENCY = 8
const IS_KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Removes objects without a file from the object storage: of deleted files, and of uploads that were rolled back. */
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

/** Compares the object storage with the files, one page of keys at a time. */
async function removeOrphans(db: Db, storage: FileStorage, ending: AbortSignal): Promise<void> {
  for await (const page of storage.pages()) {
    if (ending.aborted) return
    const old = page.filter(({ key, at }) => IS_KEY.test(key) && at.getTime() < Date.now() - DAY_MS)
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
  for (let at = 0; at < keys.length; at += CONCURRENCY)
    await Promise.all(keys.slice(at, at + CONCURRENCY).map((key) => storage.remove(key)))
}
