import { MigrationMismatch, StartProblem } from '../../core/startProblem.ts'
import { migrate, refusePending } from './migrate.ts'

interface Options {
  /** False only checks that the database is up to date. */
  mayChange?: boolean
  /** Seconds for which a statement is retried while it does not get its locks. */
  patience?: number
  /** Folder of the embedded database, which can be deleted as long as it only has demo data. */
  dataFolder?: string
}

/**
 * Migrates the database at an address, or checks that it is up to date; returns the names of the applied migrations.
 * Says on the console what it waits for. Throws a StartProblem if the database cannot be used.
 */
export async function migrateOrRefuse(
  url: string,
  { mayChange = true, patience, dataFolder }: Options = {},
): Promise<string[]> {
  try {
    if (mayChange) return await migrate(url, { patience, report: console.log })
    await refusePending(url, { report: console.log })
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
