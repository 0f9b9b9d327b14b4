import { sql } from 'kysely'
import { ROLE } from '../../../contract/roles.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Db } from '../../core/db.ts'
import { storeNotices } from '../../records/workNotices/storeNotices.ts'
import type { Failure } from './stateChanges.ts'

const textOf = (label: string) =>
  `The automation “${label}” failed, and nothing followed from it. Look at its condition in the Module Constructor`

/** Notifies the administrators of automations that threw, of each once a day. */
export async function reportFailures(db: Db, failures: Failure[]): Promise<void> {
  for (const { type, version, automation, client, caseId, record, error } of failures) {
    const text = textOf(automation.label)
    const { rows } = await sql<{ id: number; administrators: number[] }>`insert into automation_events
        (case_type, name, version, client, "case", issue, label, because)
      select ${type}, ${automation.name}, ${version}, ${client}, ${caseId}, ${record.issue}, ${automation.label},
        ${String(error).slice(0, 500)}
      where not exists (select from automation_events e join work_notices n on n.event = e.id and n.text = ${text}
        where e.case_type = ${type} and e.name = ${automation.name} and e.at > now() - interval '1 day')
      returning id, array(select id from staff p where p.status = ${sql.lit(STATUS.active)}
        and p.groups @> array[${sql.lit(ROLE.systemAdministrator)}]) as administrators`.execute(db)
    const notices = rows.flatMap(({ id, administrators }) =>
      administrators.map((staff) => ({
        staff,
        batch: `failure ${id}`,
        text,
        urgent: false,
        events: [id],
      })),
    )
    await storeNotices(db, notices, null)
  }
}
