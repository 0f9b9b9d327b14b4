import { migrate, refusePending } from './migrate.ts'
import { MigrationMismatch, StartProblem } from './startProblem.ts'

/**
 * Migrates the database at an address, or with `mayChange` false only checks that it is up to date; returns the names
 * of the applied migrations. Throws a StartProblem if the database cannot be used. `dataFolder` is that of the embedded
 * database, which can be deleted as long as it only has demo data.
 */
export async function migrateOrRefuse(url: string, mayChange = true, dataFolder?: string): Promise<string[]> {
  try {
    if (mayChange) return await migrate(url)
    await refusePending(url)
    return []
  } catch (error) {
    if (dataFolder && error instanceof MigrationMismatch)
      throw new StartProblem(
        `${error.message}\nIf there is nothing but demo data, delete ${dataFolder} and start again.`,
      )
    if (error instanceof StartProblem) throw error
    const { host, pathname } = new URL(url)
    throw new StartProblem(
      `The database ${host}${pathname} cannot be used: ${reasonOf(error)}. Check DATABASE_URL or DATABASE_DIRECT_URL, and that it is running.`,
    )
  }
}

/** The message of an error, else its code: the error for a host name with several addresses has no message. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return message || code || 'it does not answer'
}
