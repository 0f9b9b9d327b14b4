import { migrate, refusePending } from './migrate.ts'
import { StartProblem } from './startProblem.ts'

/**
 * Brings the database at an address up to date, or with `mayChange` false only sees that it is; answers the migrations
 * that it applied. A StartProblem says in a sentence why it cannot be used.
 */
export async function migrateOrRefuse(url: string, mayChange = true): Promise<string[]> {
  try {
    if (mayChange) return await migrate(url)
    await refusePending(url)
    return []
  } catch (error) {
    if (error instanceof StartProblem) throw error
    const { host, pathname } = new URL(url)
    throw new StartProblem(
      `The database ${host}${pathname} cannot be used: ${reasonOf(error)}. Check DATABASE_URL or DATABASE_DIRECT_URL, and that it is running.`,
    )
  }
}

/** A name with several addresses fails with one error for all of them, which has no words of its own. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return message || code || 'it does not answer'
}
