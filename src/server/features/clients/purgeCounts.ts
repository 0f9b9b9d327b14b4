import { sql } from 'kysely'
import { pluralise } from '../../../contract/pluralise.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call, Handler } from '../../core/call.ts'
import { fetch } from '../../records/verbs/read.ts'

/** How many cases, issues, actions and documents a purge of a client deletes, without what the caller may not see. */
export const ofClient: Handler = async (call) => {
  const { id } = await fetch(call, call.contract.entities.client, call.params.id)
  const { rows } = await sql<{ cases: number }>`select count(*)::int as cases from cases k
    where k.client = ${id} and ${visibleTo('case', call.me, 'k')}`.execute(call.db)
  return itemsOf([['case', rows[0].cases], ...(await countsBelow(call, 'client'))])
}

export const ofCase: Handler = async (call) => {
  await fetch(call, call.contract.entities.case, call.params.id)
  return itemsOf(await countsBelow(call, 'case'))
}

type Counts = [what: string, count: number][]

async function countsBelow({ db, me, params }: Call, level: 'client' | 'case'): Promise<Counts> {
  const isBelow = (row: string) => sql`${sql.ref(`${row}.${level}`)} = ${params.id}`
  const { rows } = await sql<{ issues: number; actions: number; documents: number }>`with seen as (
      select i.id from issues i where ${isBelow('i')} and ${visibleTo('issue', me, 'i')}
    ) select (select count(*)::int from seen) as issues,
      (select count(*)::int from actions a where ${isBelow('a')} and ${visibleTo('action', me, 'a')}) as actions,
      (select count(*)::int from issue_documents d where d.issue in (select id from seen)) as documents`.execute(
    db,
  )
  const [{ issues, actions, documents }] = rows
  return [
    ['issue', issues],
    ['action', actions],
    ['document', documents],
  ]
}

function itemsOf(counts: Counts) {
  return counts
    .filter(([, count]) => count > 0)
    .map(([what, count]) => ({ id: what, label: pluralise(count, what) }))
}
