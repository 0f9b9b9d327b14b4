import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'
import type { MissingItem } from '../../records/validate/missingBeforeClose.ts'

/** What holds the closing of an issue that the caller sees. */
export async function holdsOfClosing({ db }: Call, issue: number): Promise<MissingItem[]> {
  const { rows } = await sql<MissingItem>`select 'hold-' || h.id as id, h.text as label
    from automation_holds h join automation_states s on s.id = h.state
    where s.issue = ${issue} and h.call = 'close' order by h.id`.execute(db)
  return rows
}
