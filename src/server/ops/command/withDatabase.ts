import { join } from 'node:path'
import type { Settings } from '../../core/settings.ts'
import { DataFolderInUse } from '../../core/startProblem.ts'
import { urlsOfRunning } from '../postgres/running.ts'
import { startPostgres } from '../postgres/start.ts'

/** Milliseconds to wait for the owner of a folder to end, before shared work connects to its server. */
const SHARED_PATIENCE_MS = 1000

/**
 * Runs work on the database of DATABASE_URL, bypassing its pooler, or on the embedded database of DATA_DIR, which it
 * starts and stops. `superuserUrl` differs from `url` only for the embedded one. If the product is running on it,
 * `shared` work connects to its server, and other work is refused.
 */
export async function withDatabase<T>(
  settings: Settings,
  access: 'shared' | 'exclusive',
  work: (url: string, superuserUrl: string) => Promise<T>,
): Promise<T> {
  const url = settings.DATABASE_DIRECT_URL || settings.DATABASE_URL
  if (url) return await work(url, url)
  const folder = join(settings.DATA_DIR, 'postgres')
  const patience = access === 'shared' ? SHARED_PATIENCE_MS : undefined
  const server = await startPostgres(folder, { patience }).catch((error) => {
    const urls = access === 'shared' && error instanceof DataFolderInUse && urlsOfRunning(folder)
    if (!urls) throw error
    return { ...urls, stop: async () => undefined }
  })
  try {
    return await work(server.url, server.superuserUrl)
  } finally {
    await server.stop()
  }
}
