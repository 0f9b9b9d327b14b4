import { join } from 'node:path'
import { startPostgres } from '../postgres/start.ts'
import type { Settings } from '../settings.ts'

/**
 * Does something with the database of DATABASE_URL, past its pooler; without one with that of DATA_DIR, which runs
 * meanwhile and has a superuser beside the role that the product works as.
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
