import { addAuditYears, mayPartition, missingYears } from './addAuditYears.ts'
import type { JobContext } from './runJobs.ts'

/** Creates missing partitions of the audit; a server whose role may not only logs that they are missing. */
export async function partitionAudit({ db, log, ending }: JobContext): Promise<void> {
  if (await mayPartition(db)) return await addAuditYears(db, { ending })
  const years = await missingYears(db)
  if (years.length > 0)
    log.warn(
      { years },
      'partitions of the audit are missing: run `npm run migrate` with the role that owns the tables',
    )
}
