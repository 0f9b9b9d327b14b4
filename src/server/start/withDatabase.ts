import { join } from 'node:path'
import { startPostgres } from '../postgres/start.ts'
import type { Settings } from '../settings.ts'

/** Does something with the database of DATABASE_URL, past its pooler; without one with that of DATA_DIR, which runs meanwhile. */
export async function withDatabase<T>(settings: Settings, work: (url: string) => Promise<T>): Promise<T> {
  const url = settings.DATABASE_DIRECT_URL || settings.DATABASE_URL
  if (url) return await work(url)
  const server = await startPostgres(join(settings.DATA_DIR, 'postgres'))
  try {
    return await work(server.url)
  } finally {
    await server.stop()
  }
}
