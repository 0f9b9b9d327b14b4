import { sql } from 'kysely'
import type { Contract } from '../../../contract/contract.ts'
import { scoped } from '../../access/scope.ts'
import type { Caller } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import type { DigestLine } from './sendDigests.ts'

/** What a digest says about unread notices of each kind, without names. */
const WORDS: Record<string, string> = {
  automation: 'new notices of what is recorded',
  issue: 'issues newly assigned to you',
  task: 'tasks newly given to you',
  referral: 'new answers to your referrals',
  upload: 'uploads that are done',
  client: 'clients who have died',
  comment: 'new comments on the fields of case types',
}

/** Counts a person's unread notices of the kinds that they want in the digest. */
export async function noticeLines(db: Db, { entities }: Contract, me: Caller): Promise<DigestLine[]> {
  const { workNotice } = entities
  const { rows } = await sql<{ kind: string; count: number }>`select r.kind, count(*)::int as count
    from ${sql.table(workNotice.view!)} r
    where r.read_at is null and r.choice = 'digest' and ${scoped(workNotice, me)} group by r.kind order by r.kind`.execute(
    db,
  )
  return rows.map(({ kind, count }) => ({
    words: WORDS[kind],
    count,
    to: `/dashboard/new-work?kind=${kind}`,
  }))
}
