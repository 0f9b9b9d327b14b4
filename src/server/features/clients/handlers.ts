import { sql } from 'kysely'
import { pluralise } from '../../../contract/pluralise.ts'
import { STATUS } from '../../../contract/status.ts'
import type { CaseMonitoring } from '../../../contract/types/entities.ts'
import { hasActiveWork } from '../../access/purgeable.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Handler } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { auditSearch } from '../../records/audit/auditSearch.ts'
import { visibleRemaining } from '../../records/merged/mergedRecords.ts'
import { auditPurge, purgeClient, refuseHiddenIssues } from '../../records/purge/purge.ts'
import { columnsOf } from '../../records/query/columns.ts'
import { isId } from '../../records/query/query.ts'
import * as lists from '../../records/verbs/list.ts'
import { lockRow } from '../../records/verbs/lockRow.ts'
import { fetch } from '../../records/verbs/read.ts'

/** Visible clients; the search is audited like the quick search. The number of a merged one finds what remains. */
export const list: Handler = async (call) => {
  const { term = '', postcode = '' } = call.query
  await auditSearch(call, 'client', { term, postcode })
  const { clientRow } = call.contract.entities
  const remaining = isId(String(term)) ? await visibleRemaining(call, 'client', Number(term)) : undefined
  return lists.list(
    remaining === undefined ? call : { ...call, query: { ...call.query, term: String(remaining) } },
    clientRow,
  )
}

/** Monitoring of the client's last visible case, as defaults for a new one; empty if there is none. */
export const monitoring: Handler = async (call) => {
  const { contract, db, params, me } = call
  await fetch(call, contract.entities.client, params.id)
  const { rows } =
    await sql<CaseMonitoring>`select ${columnsOf(contract.entities.caseMonitoring, me)} from case_monitoring r
    join cases k on k.id = r."case" where k.client = ${params.id} and ${visibleTo('case', me, 'k')} order by k.id desc limit 1`.execute(
      db,
    )
  return rows[0] ?? {}
}

/** Deletes a retired client without active cases or open issues permanently; the audit event remains. */
export const purge: Handler = async (call) => {
  await lockRow(call, call.contract.entities.client)
  const client = await fetch(call, call.contract.entities.client, call.params.id)
  const { rows } = await sql`select from clients r
    where r.id = ${client.id} and ${hasActiveWork(call.me, 'r')}`.execute(call.db)
  if (client.status !== STATUS.retired || rows.length > 0) throw problem('stillActive')
  await refuseHiddenIssues(call, 'client')
  await purgeClient(call, client.id)
  await auditPurge(call, 'client')
  return { id: client.id }
}

/** The visible open issues and tasks of a client, with the death and their numbers in words. */
export const openWork: Handler = async (call) => {
  const { contract, db, me, params } = call
  const page = await lists.list(call, contract.entities.openWorkRow)
  if (call.exporting) return page
  const isOpen = (row: string) =>
    sql`${sql.ref(`${row}.is_opened`)} and ${sql.ref(`${row}.status`)} = ${sql.lit(STATUS.active)}`
  const { rows } = await sql<{ death: string; issues: number; steps: number }>`select
      'Died on ' || to_char(c.dod, 'FMDD FMMonth YYYY') || coalesce(', at ' || extract(year from age(c.dod, c.dob)), '') as death,
      (select count(*)::int from issues i where i.client = c.id and ${isOpen('i')} and ${visibleTo('issue', me, 'i')}) as issues,
      (select count(*)::int from tasks t left join issues i on i.id = t.issue left join cases k on k.id = t."case"
        where t.client = c.id and t.done_at is null and t.error_reason is null
          and coalesce(${isOpen('i')}, true)
          and (t.issue is not null or coalesce(k.status = ${sql.lit(STATUS.active)}, true)) and ${visibleTo('task', me, 't')}) as steps
    from clients c where c.id = ${params.id}`.execute(db)
  const [{ death, issues, steps }] = rows
  const open = [issues > 0 && pluralise(issues, 'issue'), steps > 0 && pluralise(steps, 'next step')]
  const words = `${open.filter(Boolean).join(' and ')} ${issues + steps === 1 ? 'is' : 'are'} still open: close or hand over each.`
  return { ...page, words: [death, words].filter(Boolean).join('. ') }
}
