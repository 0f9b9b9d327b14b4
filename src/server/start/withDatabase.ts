import { join } from 'node:path'
import { startPostgres } from '../postgres/start.ts'
import type { Settings } from '../settings.ts'

/**
 * Runs work on the database of DATABASE_URL, bypassing its pooler, or on the embedded database of DATA_DIR, which it
 * starts and stops. `superuserUrl` differs from `url` only for the embedded one.
 */
export async function withDatabase<T>(
  settings: Settings,
  work: (url: string, superuserUrl: string) => Promise<T>,
): Promise<T> {
  const url = settings.DATABASE_DIRECT_URL || settings.DATABASE_URL
  if (url) return await work(url, url)
  const server = await startPostgres(join(settings.DATA_DIR, 'postgres'))
  try {
    return await work(server.url, server.superuserUrl)
  } finally {
    await server.stop()
  }
}
