import { sql } from 'kysely'
import type { Contract } from '../../../contract/contract.ts'
import { REFERRAL_STATUS } from '../../../contract/status.ts'
import type { Tx } from '../../core/db.ts'

/** Days since people last opened their notices, and number of issues assigned to each of them since. */
const DAYS_AWAY = 5
const ISSUES_EACH = 3

/** Adds recent notices: issues assigned by line managers, and decisions on referrals. `today` is YYYY-MM-DD. */
export async function addWorkNotices(tx: Tx, contract: Contract, today: string): Promise<void> {
  await sql`insert into work_notices (staff, issue, text, created_by, created_at)
    select i.advocate, i.id, ${textOf(contract, 'issue', 'assigned')}, s.line_manager, ${today}::date - (i.rank::int % ${DAYS_AWAY}) - 1 + time '09:40'
    from (select id, advocate, row_number() over (partition by advocate order by start_date desc, id desc) as rank
      from issues where is_opened and status = 1 and advocate is not null) i
    join staff s on s.id = i.advocate
    where i.rank <= ${ISSUES_EACH} and s.line_manager is not null`.execute(tx)
  await sql`insert into work_notices (staff, referral, text, created_by, created_at)
    select created_by, id, case when status = ${sql.lit(REFERRAL_STATUS.accepted)}
        then ${textOf(contract, 'referralRequest', 'accepted')} else ${textOf(contract, 'referralRequest', 'rejected')} end,
      decided_by, decided_at from referral_requests
    where status in (${sql.lit(REFERRAL_STATUS.accepted)}, ${sql.lit(REFERRAL_STATUS.rejected)}) and created_by <> decided_by`.execute(
    tx,
  )
}

function textOf({ entities }: Contract, entity: string, name: string): string {
  return entities[entity].automations!.find((one) => one.name === name)!.then[0].text
}
