import { sql } from 'kysely'
import { auditSearch } from '../audit/auditSearch.ts'
import type { Call, Handler } from '../call.ts'
import type { Row, Sql } from '../db.ts'
import { hasNamePart, lengthOf } from '../query.ts'
import { visibleIds, visibleTo } from '../scope.ts'
import { search } from '../verbs/search.ts'

const MOST = 10
/** How many matches are looked at before they are sorted: keeps a common term as quick as a rare one. */
const CAP = 100
/** Up to this many visible clients, computing their ids once is faster than checking each match. */
const FEW = 10_000

/** Clients by part of their name, or by id first where the term is a number; within the caller's scope. */
export const quick: Handler = async (call) => {
  const { db, query } = call
  const term = String(query.term ?? '').trim()
  if (lengthOf(term) === 0) return []
  await auditSearch(call, 'client', { term })
  const { few, scope } = scopeOf(call)
  const { rows } = await sql<Row>`
    with ${few} found as materialized (
      select c.* from clients c where (${matches(term)}) and ${scope} limit ${CAP}
    )
    select id, first_name, last_name, dob from found
    order by (id = ${idOf(term)}) desc nulls last, last_name, first_name, id limit ${MOST}`.execute(db)
  return rows
}

function scopeOf({ contract, me }: Call): { few: Sql; scope: Sql } {
  const byRow = visibleTo('client', me, 'c')
  const ids = visibleIds(contract.entities.client, me)
  if (!ids) return { few: sql``, scope: byRow }
  return {
    few: sql`few as materialized (select id from (${sql.join(ids, sql` union all `)}) s(id) limit ${FEW + 1}),`,
    scope: sql`case when (select count(*) from few) <= ${FEW} then c.id in (select id from few) else ${byRow} end`,
  }
}

function matches(term: string): Sql {
  const id = idOf(term)
  return id ? sql`c.id = ${id}` : hasNamePart(sql`c.search`, term.replaceAll(/\s+/g, ' '))
}

function idOf(term: string): number | null {
  return /^\d{1,9}$/.test(term) ? Number(term) : null
}

/**
 * Clients that the filters find. `total_time` is how many seconds went into actions for all of them, of those that the
 * caller sees; null where more are found than lists count.
 */
export const clients: Handler = async (call) => {
  const seconds = sql`select coalesce(sum(d.time_taken), 0) from actions d
    where d.client in (select id from found) and ${visibleTo('action', call.me, 'd')}`
  const { sum, ...reply } = { sum: null, ...(await search(call, call.contract.entities.clientRow, seconds)) }
  return { ...reply, total_time: reply.pagination.count === 0 ? 0 : sum }
}
